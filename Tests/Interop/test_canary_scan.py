"""The canary scanner finds what it must find, or its silence about the vault means nothing."""

import base64
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from canary import Canaries, Schema, forms, put  # noqa: E402
from canary_scan import MAY_BE, scan  # noqa: E402


def encodings(octets: bytes) -> dict:
    """Every form that is looked for, within something else."""
    found = {}
    for order, octets_in_order in (("", octets), ("reversed ", octets[::-1])):
        found[f"{order}octets"] = octets_in_order
        found[f"{order}hex"] = octets_in_order.hex().encode()
        found[f"{order}upper hex"] = octets_in_order.hex().upper().encode()
        for shift in range(3):
            text = base64.b64encode(b"abc"[:shift] + octets_in_order + b"d")
            found[f"{order}base64 at {shift}"] = text
            found[f"{order}url base64 at {shift}"] = text.translate(
                bytes.maketrans(b"+/", b"-_"))
    return found


class Scanner(unittest.TestCase):
    def setUp(self):
        self.canaries = Canaries()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def scan(self, text: bytes = b"", own: str = "", other: str = "") -> dict:
        (Path(self.folder.name) / "file").write_bytes(text)
        told = {"canaries": [{"name": c.name, "kind": c.kind, "octets": c.octets.hex()}
                             for c in self.canaries.all],
                "own": {"key.sign": [own]}, "other": {"slot.list": [other]}}
        return scan(told, [f"data={self.folder.name}"])

    def hits(self, *places, **more) -> list:
        return [hit["canary"] for hit in self.scan(*places, **more)["hits"]]

    def test_finds_octets_and_text_in_every_form(self):
        octets = self.canaries.octets("octets")
        text = self.canaries.text("text").encode()
        number = str(self.canaries.number("number")).encode()
        for name, canary in (("octets", octets), ("text", text), ("number", number)):
            for form, needle in encodings(canary).items():
                for before in (b"", b"x", b"123456789"):
                    with self.subTest(f"{name} as {form} behind {before}"):
                        self.assertEqual(self.hits(before + needle + b"y"), [name])

    def test_finds_either_half(self):
        octets = self.canaries.octets("octets")
        for half in (octets[:16], octets[16:]):
            for form, needle in encodings(half).items():
                with self.subTest(form):
                    self.assertEqual(self.hits(b"." + needle), ["octets"])

    def test_finds_what_json_escapes(self):
        text = self.canaries.foreign("foreign")
        shown = json.dumps(text)
        for needle in (text.encode(), shown.encode(), shown.upper().replace("\\U", "\\u").encode(),
                       text.encode("utf-16-le"), text.encode("utf-16-be"),
                       base64.b64encode(text.encode())):
            self.assertEqual(self.hits(b"." + needle), ["foreign"])

    def test_finds_short_ones(self):
        octets = self.canaries.octets("short", 6)
        for needle in (octets, octets[::-1], octets.hex().encode(), base64.b64encode(octets)):
            self.assertEqual(self.hits(b"." + needle), ["short"])

    def test_finds_them_in_answers_and_names_of_files(self):
        text = self.canaries.text("text")
        self.assertEqual(self.hits(own=text), ["text"])
        self.assertEqual(self.hits(other=f'{{"x":"{text}"}}'), ["text"])
        (Path(self.folder.name) / text).write_bytes(b"")
        self.assertEqual(self.hits(), ["text"])

    def test_each_kind_may_be_where_it_is_said(self):
        for kind in MAY_BE:
            self.canaries = Canaries()
            text = self.canaries.text("text", kind)
            for places in ({"text": text.encode()}, {"own": text}, {"other": text}):
                report = self.scan(**places)
                allowed = {"own": {"echo", "label", "policy", "group"}, "other": {"label"},
                           "text": set()}[next(iter(places))] | {"namespace"}
                self.assertEqual(len(report["hits"]), 0 if kind in allowed else 1, kind)
                self.assertEqual(report["seen"].get(kind, 0), 1 if kind in allowed else 0)

    def test_nothing_is_found_in_nothing(self):
        self.canaries.octets("octets")
        self.canaries.foreign("foreign")
        self.assertEqual(self.hits(bytes(100_000)), [])


class Fields(unittest.TestCase):
    def test_every_field_has_forms_that_fit_or_not(self):
        schema, canaries = Schema(), Canaries()
        self.assertGreater(sum(map(len, schema.methods.values())), 60)
        for method, places in schema.methods.items():
            for place in places:
                made = list(forms(canaries, method, place))
                self.assertGreaterEqual(len(made), 6, place.name)
                for form in made:
                    parameters = put({}, place.path, form.value)
                    held = parameters
                    for part in place.path:
                        held = held[part]
                    self.assertEqual(held, form.value)
        names = [canary.name for canary in canaries.all]
        self.assertEqual(len(names), len(set(names)))

    def test_secrets_fit(self):
        """Fields that the schema marks as secret have a canary of their own type."""
        schema, canaries = Schema(), Canaries()
        marked = 0
        for method, places in schema.methods.items():
            for place in places:
                if not place.schema.get("x-secret"):
                    continue
                marked += 1
                self.assertTrue(any(form.fits for form in forms(canaries, method, place)))
        self.assertGreaterEqual(marked, 5)


if __name__ == "__main__":
    unittest.main()
