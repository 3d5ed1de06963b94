import { tool } from "@opencode-ai/plugin";
import { execSync } from "child_process";

export const roll = tool({
  description: "Roll dice",
  args: { sides: tool.schema.number() },
  async execute({ sides }) {
    return execSync(`shuf -i 1-${sides} -n 1`).toString();
  },
});

export const toss = tool({ description: "Toss a coin", args: {}, execute: async () => "heads" });
