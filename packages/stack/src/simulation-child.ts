/** The process of the simulated replicas and the load on them. It ends with its parent. */
import { startSimFleet } from "@evenkeel/sim/sim-fleet";
import { demonstrationFleet } from "./demonstration-fleet.ts";
import { startDemonstrationLoad } from "./demonstration-load.ts";
import { type SimulationReport, simulationCommand } from "./simulation-messages.ts";

const fleet = await startSimFleet(demonstrationFleet(Number(process.argv[2] ?? 8)));
let load: ReturnType<typeof startDemonstrationLoad> | null = null;

const say = (report: SimulationReport) => process.send?.(report);

async function act(message: unknown): Promise<void> {
  const command = simulationCommand.parse(message);
  let problem: string | null = null;
  try {
    if (command.do === "fault") await fleet.fault(command.replicaId, command.fault);
    else {
      await load?.stop();
      load = null;
      if (command.do === "startLoad") {
        load = startDemonstrationLoad({
          routerUrl: command.routerUrl,
          model: fleet.replicas[0]?.model ?? "",
          replicas: fleet.replicas.length,
          rps: command.rps,
          seed: command.seed,
        });
      }
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  say({ say: "done", id: command.id, problem });
}

async function end(): Promise<void> {
  await load?.stop();
  await fleet.close();
  process.exit(0);
}

process.on("message", (message) => void act(message));
process.on("disconnect", () => void end());
process.on("SIGTERM", () => void end());
say({
  say: "listening",
  replicas: fleet.replicas.map((replica) => ({ ...replica, labels: { ...replica.labels } })),
});
