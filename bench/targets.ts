/** What figures are to reach: every bench that compares with something else has its targets here, and prints them beside what it measured. */
import { median, type Target } from './report.ts';

/** By the name of the figure; `against` compares with a tree of before the ledger was separated from views. */
const TARGETS = {
  'processor time of a purchase over REST on sqlite, against the other tree': ['lower', 0.65],
  'processor time of a purchase over A2A on sqlite, against the other tree': ['lower', 0.7],
  'processor time of a purchase over REST on postgres, against the other tree': ['lower', 0.8],
  'processor time of a purchase over A2A on postgres, against the other tree': ['lower', 0.8],
  'p50 of one client’s purchases over REST on sqlite, against the other tree': ['lower', 0.6],
  'p50 of one client’s purchases over REST on postgres, against the other tree': ['lower', 0.6],
  'intents against the SDK echo': ['higher', 0.36],
  'intents against the SDK echo, gate beside': ['higher', 0.62],
  'intents against the SDK on SQLite': ['higher', 4],
  'intents against the SDK on SQLite, gate beside': ['higher', 4],
  'intents against the SDK on SQLite with a write-ahead log': ['higher', 2],
  'intents over MCP against the SDK echo': ['higher', 0.24],
  'SendMessage of standard A2A against the SDK echo': ['higher', 0.28],
  'purchases over REST against the floor': ['higher', 0.28],
  'purchases over A2A against the floor': ['higher', 0.33],
  'purchases over REST against the floor, gate beside': ['higher', 0.28],
  'purchases over A2A against the floor, gate beside': ['higher', 0.33],
  'p50 that the node adds to a payment by mpp, ms': ['lower', 15],
  'p50 that the node adds to a payment by x402, ms': ['lower', 15],
  'processor time of a payment by mpp, against a cart purchase': ['lower', 1.5],
  'processor time of a payment by x402, against a cart purchase': ['lower', 1.5],
  'processor time of a payment elsewhere, reserved and told, against a cart purchase': ['lower', 1.0],
  'p50 that the guard adds to a call of a tool, ms': ['lower', 10],
  'p99 of lists, ms': ['lower', 50],
  'views behind under full load, s': ['lower', 1],
  'views rebuilt, minutes': ['lower', 5],
} as const satisfies Readonly<Record<string, readonly ['higher' | 'lower', number]>>;

export type TargetName = keyof typeof TARGETS;

/** @param rounds the figure in each round; the middle one counts */
export function targetOf(name: TargetName, rounds: readonly number[]): Target {
  const [better, target] = TARGETS[name];
  return { name, figure: median(rounds), target, better, rounds };
}
