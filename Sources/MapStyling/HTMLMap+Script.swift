// What a page does: shows the map, tags on a click, and basemaps on request.

extension HTMLMap {
  /// Texts of the data become text nodes, never markup.
  ///
  /// `document.documentElement.dataset.map` tells what the page is doing: `loading`, `idle` when all
  /// is drawn, `failed`; `window.overpassMap` holds the map and what it complained about.
  static let script: StaticString = #"""

    "use strict";
    (() => {
      const state = document.documentElement.dataset;
      const read = (id) => JSON.parse(document.getElementById(id).textContent);
      const style = read("style");
      const page = read("page");
      const faults = [];
      state.map = "loading";
      window.overpassMap = { map: null, faults };

      function fail(message) {
        state.map = "failed";
        faults.push(message);
        const place = document.getElementById("fault");
        place.textContent = "The map cannot be drawn: " + message;
        place.hidden = false;
      }

      // The features as they are: a viewer hands out copies whose values may be cut.
      const collections = {};
      for (const [name, source] of Object.entries(style.sources)) {
        if (source.type !== "geojson" || typeof source.data !== "object") continue;
        collections[name] = source.data.features;
        source.generateId = true;
      }

      let map;
      try {
        map = new maplibregl.Map({
          container: "map",
          style,
          attributionControl: { compact: false },
          maxPitch: 0,
          dragRotate: false,
        });
      } catch (error) {
        fail(error.message);
        return;
      }
      window.overpassMap.map = map;
      map.touchZoomRotate.disableRotation();
      showAll();
      map.addControl(new maplibregl.NavigationControl({ showCompass: false }));
      map.addControl(new maplibregl.ScaleControl());
      map.on("error", (event) => {
        const message = (event.error && event.error.message) || String(event);
        // A tile that cannot be had is no reason to give up.
        if (event.sourceId === undefined && !event.tile) return fail(message);
        faults.push(message);
        map.triggerRepaint();
      });
      map.on("idle", () => {
        if (state.map !== "failed") state.map = "idle";
      });

      // Shows all features, beside the panel where there is room; on narrow screens it is closed.
      function showAll() {
        const panel = document.getElementById("panel");
        const edge = panel.offsetLeft + panel.offsetWidth + 28;
        const isWide = innerWidth > 2.4 * edge;
        if (!isWide) panel.open = false;
        if (!page.bounds) return;
        const room = Math.min(56, innerWidth / 6, innerHeight / 6);
        const below = panel.offsetTop + panel.offsetHeight + 16;
        const top = isWide ? room : Math.max(room, Math.min(below, innerHeight / 3));
        const camera = (left) => map.cameraForBounds(page.bounds,
          { padding: { top, bottom: room, right: room, left }, maxZoom: 17 });
        let chosen = camera(room);
        if (!chosen) return;
        const breadth = (page.bounds[2] - page.bounds[0]) / 360 * 512 * 2 ** chosen.zoom;
        if (isWide && (innerWidth - breadth) / 2 < edge) chosen = camera(edge) || chosen;
        map.jumpTo(chosen);
      }

      // Tags on a click

      const layers = style.layers.filter((layer) => layer.source in collections);
      const layerNames = layers.filter((layer) => layer.type !== "symbol").map((layer) => layer.id);
      const known = ["@type", "@id", "@version", "@timestamp", "@changeset", "@uid", "@user",
        "@tainted", "@geometry", "@relations"];

      function element(name, className, text) {
        const made = document.createElement(name);
        if (className) made.className = className;
        if (text !== undefined) made.textContent = text;
        return made;
      }

      function link(target, text) {
        const made = element("a", "", text);
        made.href = target;
        made.target = "_blank";
        made.rel = "noopener noreferrer";
        return made;
      }

      function tagsOf(feature) {
        return Object.entries(feature.properties).filter(([key, value]) =>
          !known.includes(key) && !(key === "id" && value === feature.id))
          .map(([key, value]) => [known.includes(key.slice(1)) ? key.slice(1) : key, String(value)]);
      }

      function titleOf(feature, tags) {
        const name = tags.find(([key]) => key === "name") || tags.find(([key]) => key === "ref");
        if (name) return name[1];
        return tags.length > 0 ? tags[0].join(" = ") : feature.id || "no tags";
      }

      function card(feature) {
        const made = element("div", "popup");
        const tags = tagsOf(feature);
        made.append(element("p", "popup-title", titleOf(feature, tags)));
        const facts = element("p", "popup-facts");
        const id = String(feature.id || "");
        facts.append(/^(node|way|relation)\/\d+$/.test(id)
          ? link("https://www.openstreetmap.org/" + id, id) : id);
        const version = feature.properties["@version"];
        if (version !== undefined) facts.append(", version " + version);
        const time = feature.properties["@timestamp"];
        if (time !== undefined) facts.append(" of " + String(time).slice(0, 10));
        if (feature.properties["@tainted"]) facts.append(", incomplete");
        if (feature.properties["@geometry"]) {
          facts.append(", only its " + feature.properties["@geometry"]);
        }
        made.append(facts);
        const table = element("table");
        for (const [key, value] of tags) {
          const row = table.insertRow();
          row.append(element("th", "", key));
          const cell = element("td");
          cell.append(/^https?:\/\/\S+$/.test(value) ? link(value, value) : value);
          row.append(cell);
        }
        if (tags.length > 0) made.append(table);
        return made;
      }

      let popup;

      const firstLabel = (style.layers.find((layer) => layer.type === "symbol") || {}).id;

      function mark(source, number) {
        for (const layer of layers) {
          const name = layer.id + " marked";
          if (map.getLayer(name)) map.removeLayer(name);
          if (layer.source !== source) continue;
          const paint = {
            fill: { "fill-color": "#ffb703", "fill-opacity": 0.45 },
            line: { "line-color": "#ffb703", "line-width": 5 },
            circle: { "circle-color": "#ffb703", "circle-radius": 8, "circle-stroke-width": 2,
              "circle-stroke-color": "#1f2933" },
          }[layer.type];
          if (!paint) continue;
          const filter = ["all", ["==", ["id"], number], layer.filter];
          map.addLayer({ ...layer, id: name, paint, filter }, firstLabel);
        }
      }

      function show(position, hits, place) {
        const hit = hits[place];
        const content = card(collections[hit.source][hit.number]);
        if (hits.length > 1) {
          const pages = element("nav");
          for (const [sign, name, step] of [["‹", "previous", hits.length - 1], ["›", "next", 1]]) {
            const button = element("button", "", sign);
            button.ariaLabel = name;
            button.onclick = () => show(position, hits, (place + step) % hits.length);
            pages.append(button);
          }
          pages.append(`${place + 1} of ${hits.length}`);
          content.append(pages);
        }
        mark(hit.source, hit.number);
        if (popup) popup.off("close", unmark).remove();
        popup = new maplibregl.Popup({ maxWidth: "340px" }).setLngLat(position)
          .setDOMContent(content).addTo(map);
        popup.on("close", unmark);
      }

      function unmark() { mark(null); }

      function hitsAt(point) {
        const box = [[point.x - 4, point.y - 4], [point.x + 4, point.y + 4]];
        const found = new Map();
        const shown = layerNames.filter((name) => map.getLayer(name));
        for (const each of map.queryRenderedFeatures(box, { layers: shown })) {
          found.set(each.source + " " + each.id, { source: each.source, number: each.id });
        }
        return [...found.values()];
      }

      map.on("click", (event) => {
        const hits = hitsAt(event.point);
        if (hits.length > 0) show(event.lngLat, hits, 0);
      });
      map.on("mousemove", (event) => {
        if (map.isMoving()) return;
        map.getCanvas().style.cursor = hitsAt(event.point).length > 0 ? "pointer" : "";
      });

      // Basemaps

      for (const box of document.querySelectorAll("#panel input")) {
        box.onchange = () => {
          map.setLayoutProperty(box.value, "visibility", box.checked ? "visible" : "none");
        };
      }
    })();

    """#
}
