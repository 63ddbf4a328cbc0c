// npm run replay -- <file> : plays a recorded activity against a running server, as a phone would send it.

import { runCommand } from './command-line/run-command.ts'
import { readArguments, USAGE } from './replay/read-arguments.ts'
import { replayActivity } from './replay/replay-activity.ts'
import { ReplayError } from './replay/track-client.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: ReplayError,
  run: (options, signal) => replayActivity(options, process.stdout, signal),
})
