/** The smallest whole policy: what an empty database starts with when no POLICY_FILE is given. */
export const BUILT_IN_POLICY = {
  source: `version: 1
models:
  - name: "*"
    strategy: { type: predicted-cost }
`,
  document: { version: 1, models: [{ name: "*", strategy: { type: "predicted-cost" } }] },
} as const;
