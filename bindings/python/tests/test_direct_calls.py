"""Functions of the library that the package has no need of, called through its prototypes."""

from ctypes import byref

import pytest
from overpasskit import FormatError, _abi
from overpasskit._abi import opk_decode_options
from overpasskit._ffi import call, lib, produce, produce_text, text

JSON = b'{"elements":[{"type":"node","id":1,"tags":{"amenity":"bench"}}]}'
XML = b'<osm><node id="1"><tag k="amenity" v="bench"/></node></osm>'


def test_a_copy_of_a_query_goes_its_own_way() -> None:
    query = lib.opk_query_new(_abi.OPK_WAYS)
    call(lib.opk_query_add_tag, query, _abi.OPK_TAG_EXISTS, b"highway", None, 0)
    call(lib.opk_query_set_bbox, query, 50.0, 7.0, 51.0, 8.0)
    copy = lib.opk_query_clone(query)
    call(lib.opk_query_set_output, copy, _abi.OPK_OUTPUT_RECURSE_DOWN)
    try:
        printed = produce_text(lib.opk_query_render_ql, query, 0)
        assert printed == '[out:json];way["highway"](50,7,51,8);out;'
        assert produce_text(lib.opk_query_render_ql, copy, 0) == printed.replace(
            "out;", "(._;>;);out;"
        )
    finally:
        lib.opk_query_free(copy)
        lib.opk_query_free(query)
    assert not lib.opk_query_clone(None)


@pytest.mark.parametrize(
    ("function", "data", "other"),
    [(lib.opk_response_decode_json, JSON, XML), (lib.opk_response_decode_xml, XML, JSON)],
    ids=["json", "xml"],
)
def test_decoders_of_one_format(function: object, data: bytes, other: bytes) -> None:
    response = produce(function, data, len(data), byref(opk_decode_options()))
    try:
        assert lib.opk_response_element_count(response, _abi.OPK_NODE) == 1
        count = lib.opk_response_string_count(response)
        texts = {text(lib.opk_response_string(response, number)) for number in range(count)}
        assert texts >= {"amenity", "bench"}
    finally:
        lib.opk_response_free(response)
    with pytest.raises(FormatError):
        produce(function, other, len(other), byref(opk_decode_options()))
