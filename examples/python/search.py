"""Tests that tell OBE from HSA: all of a size, the first two of a larger one, and a search that is
stopped."""

import headway

found = headway.synthesize(2, 3, passes=["OBE:weak"], fails=["HSA:weak"])
print(len(found), "tests of 3 instructions need OBE and not HSA")

first = []
answer = headway.synthesize(2, 4, passes=["OBE:weak"], fails=["HSA:weak"],
                            found=lambda test: first.append(test) or len(first) < 2)
print(first[0].text)
print("stopped by", answer["stopped_by"], "after", answer["tests"])

late = headway.synthesize(2, 7, found=lambda test: True, limits=headway.Limits(seconds=0.2))
print("stopped by", late["stopped_by"])

try:
    headway.parse("thread 0 { x = 1; }", "mine.litmus")
except headway.Error as error:
    print(f"{error.file}, line {error.line}: refused")
