import { expect, test } from "vitest";
import { parseAzureLine } from "./azure.ts";
import { burstGptColumns, parseBurstGptLine } from "./burst-gpt.ts";

test("an Azure line keeps the fraction of its time", () => {
  const at = (text: string): number => parseAzureLine(`${text},374,44`, "a.csv", 2).atMs;
  expect(at("2023-11-16 18:15:46.6805900") - at("2023-11-16 18:15:46")).toBeCloseTo(680.59, 3);
  expect(parseAzureLine("2023-11-16 18:15:46.68,374,0", "a.csv", 2)).toMatchObject({
    promptTokens: 374,
    outputTokens: 1,
  });
});

test("a wrong Azure line is refused with line and column", () => {
  expect(() => parseAzureLine("yesterday,1,1", "a.csv", 9)).toThrow(/a\.csv, line 9: TIMESTAMP/);
  expect(() => parseAzureLine("2023-11-16 18:15:46,many,1", "a.csv", 9)).toThrow(
    /line 9: ContextTokens: "many"/,
  );
});

test("BurstGPT columns are found by name, and failed requests are left out", () => {
  const header = "Timestamp,Session ID,Model,Request tokens,Response tokens,Total tokens,Log Type";
  const columns = burstGptColumns(header, "b.csv", 1);
  expect(parseBurstGptLine("5,7,ChatGPT,472,18,490,Conversation log", columns, "b.csv", 2)).toMatchObject({
    atMs: 5000,
    promptTokens: 472,
    outputTokens: 18,
    sessionKey: "session-7",
  });
  expect(parseBurstGptLine("6,,ChatGPT,472,0,472,API log", columns, "b.csv", 3)).toBeNull();
  expect(() => parseBurstGptLine("x,,ChatGPT,1,1,2,API log", columns, "b.csv", 4)).toThrow(
    /line 4: Timestamp: "x"/,
  );
  expect(() => burstGptColumns("Timestamp,Tokens", "b.csv", 1)).toThrow(/no column "Request tokens"/);
});
