import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { runRound } from '../load/batch-load.ts'
import { contender, POINTS_PER_BATCH } from '../load/contender.ts'
import { walk } from '../load/walk.ts'
import { type StepProfile, stepShares } from '../program/profile-steps.ts'
import { profileDuring } from '../program/profiler.ts'
import { createTracks } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Bench, Part } from './part.ts'

const TRACKS = 512
/** A step that takes less than this share of its thread is counted with the rest. */
const LEAST_SHARE = 0.02
/** Batches that share a sync, half of those that arrive at once. */
const GROUP = 16
const SYNCS = 200

/** Processor time of a batch by step, and the floor: what it costs to write its bytes to the disk. */
export const batchSteps: Part = {
  name: 'batch-steps',
  title: 'What a batch of 10 points costs by step',
  engines: 'both',
  async *measure(bench) {
    const { engine, effort } = bench
    const port = await freePort()
    const server = await engine.start({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
    const sender = contender('', server, await createTracks(server, 'steps', TRACKS))
    await runRound(engine, sender, effort.loadMs)
    // A profile makes everything slower: it only says which share each step has.
    const { load, spent } = await runRound(engine, sender, 2 * effort.loadMs)
    const profiles = await profileDuring(port, () => runRound(engine, sender, 2 * effort.loadMs))
    await server.stop()
    yield stepFigures('main thread', profiles.main, spent.us('main') / load.requests)
    if (profiles.writer !== undefined)
      yield stepFigures('SQLite writer', profiles.writer, spent.us('SQLite writer') / load.requests)
    yield floorFigures(bench)
  },
}

function stepFigures(thread: string, profile: StepProfile, batchUs: number): Figure[] {
  const shares = [...stepShares(profile, thread === 'main thread' ? 'by folder' : 'by function')]
  const large = shares.filter(([, share]) => share >= LEAST_SHARE)
  const rest = shares.filter(([, share]) => share < LEAST_SHARE).reduce((sum, [, share]) => sum + share, 0)
  const steps = [...large, ['all smaller steps', rest] as const]
  return [
    { what: `${thread}, in all`, value: batchUs, unit: 'µs' },
    ...steps.map(([step, share]): Figure => ({ what: `${thread}: ${step}`, value: share * batchUs, unit: 'µs' })),
  ]
}

function floorFigures({ folder }: Bench): Figure[] {
  const body = Buffer.from(JSON.stringify({ points: walk(POINTS_PER_BATCH, 1) }))
  const group = Buffer.concat(Array.from({ length: GROUP }, () => body))
  const file = openSync(join(folder, 'floor'), 'w')
  const took: number[] = []
  const before = process.threadCpuUsage()
  for (let i = 0; i < SYNCS; i++) {
    const startMs = performance.now()
    writeSync(file, group)
    fdatasyncSync(file)
    took.push(performance.now() - startMs)
  }
  const { user, system } = process.threadCpuUsage(before)
  closeSync(file)
  return [
    {
      what: `the floor: write and fdatasync of the bodies of ${GROUP} batches, processor time of a batch`,
      value: (user + system) / SYNCS / GROUP,
      unit: 'µs',
      beside: `${(median(took) * 1000).toFixed(0)} µs for ${GROUP} until it is on disk`,
    },
  ]
}
