import { setTimeout as wait } from 'node:timers/promises'
import type { FaultInstallation, Instance } from './fault-installation.ts'

/** Something that fails, for a time, and what ends it. */
export type Fault = {
  name: string
  /** Causes the fault, waits as long as it lasts, and repairs what caused it. */
  run(installation: FaultInstallation, holdMs: number): Promise<void>
}

/** Difference of a wrong clock. */
const CLOCK_SHIFT_MS = 600_000

export const FAULTS: readonly Fault[] = [
  {
    name: 'Instances killed one after the other',
    run: (installation, holdMs) =>
      eachInstance(installation, async (instance, count) => {
        await instance.stop('SIGKILL')
        await wait(holdMs / 4 / count)
        await instance.start()
      }),
  },
  {
    name: 'Rolling restart',
    run: (installation) =>
      eachInstance(installation, async (instance) => {
        await instance.stop('SIGTERM')
        await instance.start()
      }),
  },
  { name: 'All database connections ended', run: ({ endConnections }) => endConnections() },
  {
    name: 'PostgreSQL restarted',
    async run({ cluster }) {
      await cluster.interrupt('INT')
      await cluster.resume()
    },
  },
  {
    name: 'PostgreSQL killed',
    async run({ cluster }, holdMs) {
      await cluster.crash()
      await wait(holdMs / 4)
      await cluster.resume()
    },
  },
  {
    name: 'PostgreSQL frozen',
    async run({ cluster }, holdMs) {
      cluster.freeze()
      await wait(holdMs)
      cluster.thaw()
    },
  },
  {
    name: 'One instance cut off from PostgreSQL',
    async run({ instances }, holdMs) {
      instances[0].line.cut()
      await wait(holdMs)
      instances[0].line.mend()
    },
  },
  {
    name: 'Bucket stopped, and an instance restarted meanwhile',
    async run({ s3, instances }, holdMs) {
      await s3.line.vanish()
      await instances[1].stop('SIGKILL')
      await instances[1].start()
      await wait(holdMs / 2)
      await s3.line.comeBack()
    },
  },
  {
    name: 'Bucket frozen',
    async run({ s3 }, holdMs) {
      s3.line.freeze()
      await wait(holdMs)
      s3.line.thaw()
    },
  },
  {
    name: 'One clock ten minutes ahead, one behind',
    async run({ instances }, holdMs) {
      const [ahead, behind] = instances
      for (const [instance, shiftMs] of [
        [ahead, CLOCK_SHIFT_MS],
        [behind, -CLOCK_SHIFT_MS],
      ] as const) {
        await instance.stop('SIGTERM')
        await instance.start(shiftMs)
      }
      await wait(holdMs)
      for (const instance of [ahead, behind]) {
        await instance.stop('SIGTERM')
        await instance.start()
      }
    },
  },
]

async function eachInstance(
  { instances }: FaultInstallation,
  act: (instance: Instance, count: number) => Promise<void>,
): Promise<void> {
  for (const instance of instances) await act(instance, instances.length)
}
