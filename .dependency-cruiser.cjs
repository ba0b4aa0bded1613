/** Who may import whom. ARCHITECTURE.md draws it; this file enforces it. */
const only = (name, from, allowed, comment) => ({
  name,
  severity: "error",
  comment,
  from: { path: from, pathNot: "\\.(test|bench)\\.tsx?$|/testing(/|\\.)" },
  to: { path: "^(apps|packages|db|e2e|bench)/", pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    only("protocol-is-alone", "^packages/protocol/", [], "protocol knows nobody"),
    only("scheduler-is-alone", "^packages/scheduler/", [], "scheduler knows nobody"),
    only("db-knows-scheduler", "^db/", ["^packages/scheduler/"], "db stores the scheduler's types"),
    only(
      "router-imports",
      "^apps/router/",
      ["^packages/(protocol|scheduler)/", "^db/"],
      "the router never imports the console or the tools",
    ),
    only(
      "console-imports",
      "^apps/console/",
      ["^packages/scheduler/", "^db/"],
      "the console never imports the router or the tools",
    ),
    only("sim-imports", "^packages/sim/", ["^packages/(protocol|scheduler)/"], "sim stands beside the apps"),
    {
      name: "console-data-only-on-the-server",
      severity: "error",
      comment: "components reach data through tRPC; the database lives under src/server",
      from: { path: "^apps/console/src/", pathNot: "^apps/console/src/server/|\\.test\\.tsx?$" },
      // The record's words are types and lists of names; everything else in db reaches Postgres.
      to: { path: "^db/|node_modules/(postgres|drizzle-orm)/", pathNot: "^db/src/decision-record\\.ts$" },
    },
    {
      name: "pure-packages-stay-pure",
      severity: "error",
      comment: "no Node built-ins and no library but zod in protocol and scheduler",
      from: { path: "^packages/(protocol|scheduler)/", pathNot: "\\.(test|bench)\\.ts$" },
      to: {
        dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer"],
        pathNot: "node_modules/zod/",
      },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-tests-in-code",
      severity: "error",
      from: { pathNot: "\\.(test|bench)\\.tsx?$|/testing(/|\\.)" },
      to: { path: "\\.(test|bench)\\.tsx?$|/testing(/|\\.ts$)", pathNot: "^db/src/testing\\.ts$" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    // Tests use syntax the parser does not read yet; rules are about code.
    exclude: { path: "\\.next/|node_modules/.*/node_modules/|/migrations/|\\.(test|bench)\\.tsx?$" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
    tsPreCompilationDeps: true,
  },
};
