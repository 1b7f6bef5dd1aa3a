import { describe, expect, test } from "vitest";
import {
  abaRouting,
  americanExpress,
  type Detector,
  dinersClub,
  iban,
  mastercard,
  unionPay,
  visa,
} from "./detectors.ts";

const cases: [string, Detector, string[], string[]][] = [
  // Numbers that payment processors publish for tests.
  ["Visa", visa, ["4111111111111111", "4111 1111 1111 1111", "pay 4242-4242-4242-4242."], ["4111111111111112"]],
  ["Mastercard", mastercard, ["5555555555554444", "2223003122003222"], ["5555555555554445", "5655555555554444"]],
  ["American Express", americanExpress, ["378282246310005", "3782 822463 10005"], ["378282246310006"]],
  ["Diners Club", dinersClub, ["30569309025904", "3852 0000 0232 37"], ["30569309025905"]],
  ["Union Pay", unionPay, ["6200000000000005"], ["6200000000000006"]],
  ["IBAN", iban, ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32"], ["DE89370400440532013001"]],
  ["routing number", abaRouting, ["021000021", "to 011401533,"], ["021000022", "991000021", "0210000210"]],
];

describe.each(cases)("%s", (_name, detector, found, notFound) => {
  test.each(found)("is found in %s", (text) => expect(detector.finds(`My number: ${text}`)).toBe(true));
  test.each(notFound)("is not found in %s", (text) => expect(detector.finds(text)).toBe(false));
});

test("finds the number of a card beside other numbers", () => {
  for (const text of ["4111 1111 1111 1111 12/28", "4111111111111111 123", "order 17 4111-1111-1111-1111 2"]) {
    expect(visa.finds(text)).toBe(true);
  }
});

test("ignores digits of a card within longer digits or another token", () => {
  for (const text of ["94111111111111111", "id_4111111111111111", "4111111111111111a", "v1.4111111111111111"]) {
    expect(visa.finds(text)).toBe(false);
  }
});
