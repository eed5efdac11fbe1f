// How a page looks.

extension HTMLMap {
  static let styleSheet: StaticString = """

    html, body, #map { margin: 0; height: 100%; background: #f7f5f0; }
    #panel, .maplibregl-popup, .maplibregl-ctrl { font: 13px/1.45 system-ui, "Segoe UI", Roboto, sans-serif; color: #1f2933; }
    #panel { position: absolute; z-index: 2; top: 12px; left: 12px; box-sizing: border-box; width: max-content; min-width: 170px; max-width: min(320px, calc(100% - 76px)); max-height: calc(100% - 70px); overflow: auto; padding: 10px 14px; border-radius: 8px; background: rgb(255 255 255 / 94%); box-shadow: 0 1px 6px rgb(31 41 51 / 28%); overflow-wrap: anywhere; }
    #panel summary { font-size: 15px; font-weight: 600; cursor: pointer; }
    #panel h2 { margin: 10px 0 0; font-size: 13px; }
    #panel p { margin: 4px 0; }
    #panel .facts { color: #52606d; }
    #panel .note { padding: 5px 9px; border-left: 3px solid #b42318; background: #fdecea; }
    #panel ul { margin: 6px 0; padding: 0; list-style: none; }
    #panel li { display: flex; align-items: center; gap: 8px; }
    #panel li span { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
    #panel li.key { color: #52606d; }
    #panel li b { margin-left: auto; padding-left: 12px; font-weight: 400; color: #52606d; font-variant-numeric: tabular-nums; }
    #panel i { flex: none; box-sizing: border-box; width: 18px; }
    #panel i.point { width: 12px; height: 12px; margin: 0 3px; border: 1.5px solid #fff; border-radius: 50%; background: var(--color); box-shadow: 0 0 1px 0.5px #9aa5b1; }
    #panel i.line { height: 4px; border-radius: 2px; background: var(--color); }
    #panel i.area { position: relative; height: 13px; border: 1.5px solid var(--color); border-radius: 2px; overflow: hidden; }
    #panel i.area::before { content: ""; position: absolute; inset: 0; background: var(--fill); opacity: 0.35; }
    #panel fieldset { margin: 8px 0 0; padding: 6px 0 0; border: 0; border-top: 1px solid #e4e7eb; }
    #panel legend { float: left; width: 100%; color: #52606d; }
    #panel label { display: block; }
    .maplibregl-popup-content { max-height: min(320px, 45vh); overflow: auto; padding: 10px 14px 12px; border-radius: 8px; overflow-wrap: anywhere; }
    .popup-title { margin: 0 18px 2px 0; font-size: 14px; font-weight: 600; }
    .popup-title { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
    .popup-facts { margin: 0 0 6px; color: #52606d; }
    .popup-facts a, .popup td a { color: #0b6fb8; }
    .popup table { border-collapse: collapse; }
    .popup th, .popup td { padding: 2px 0; border-top: 1px solid #e4e7eb; text-align: left; vertical-align: top; white-space: pre-wrap; }
    .popup th { min-width: 70px; padding-right: 12px; font-weight: 500; color: #52606d; }
    .popup nav { display: flex; gap: 8px; align-items: center; margin-top: 8px; }
    .popup button { padding: 1px 9px; border: 1px solid #cbd2d9; border-radius: 5px; background: #fff; font: inherit; cursor: pointer; }

    """
}
