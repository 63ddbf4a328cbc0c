import assert from 'node:assert/strict'
import { cleanPoint } from '../../clients/typescript/src/queue/clean-point.ts'
import type { PointInput } from '../../clients/typescript/src/queue/wire.ts'
import { memoryStorage } from '../../clients/typescript/src/storage/memory-storage.ts'
import type { QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'
import { openTrackQueue, type TrackQueue } from '../../clients/typescript/src/track-queue.ts'
import { faultyFetch, refusingFetch } from './faulty-network.ts'
import { beginLife, type Life, mortalFetch, mortalStorage } from './mortal-app.ts'
import type { RealServer } from './real-server.ts'
import type { Schedule, Step } from './schedule.ts'

/** Counts of one schedule or of many. */
export type Figures = { requests: number; points: number; refused: number; kills: number }

type App = { queue: TrackQueue; life: Life }

/** A point that was given to the queue. `isAcknowledged` once the queue has said that it is safe. */
type Given = { point: PointInput; isBad: boolean; isAcknowledged: boolean }

/** A state that the track was given, and whether the queue has said that this is safe. */
type GivenState = { state: string; isAcknowledged: boolean }

const START_MS = Date.UTC(2026, 4, 3, 6)
/** Attempts after which a queue that is not empty counts as stuck. */
const MOST_FLUSHES = 400

/**
 * Runs a schedule against the server, then lets everything recover, and compares what the
 * server has with what the queue was given.
 * @param name makes the track different from those of all other schedules
 * @throws AssertionError if a point is lost, doubled or altered
 */
export async function runSchedule(
  server: RealServer,
  { steps, maxPoints, isShared, refusals }: Schedule,
  name: string,
  storage: QueueStorage = memoryStorage(),
): Promise<Figures> {
  const given: Given[] = []
  const states: GivenState[] = [{ state: 'running', isAcknowledged: true }]
  const figures: Figures = { requests: 0, points: 0, refused: 0, kills: 0 }
  let faults: string[] = []
  let fullWrites = 0
  let steadyMs = 0
  let clockMs = START_MS
  let token: string = server.tokens.valid[0]
  let chance = 0
  let isTrackKnown = false

  const random = () => {
    chance = (chance + 0.381_966) % 1
    return chance
  }

  function open(): App {
    const life = beginLife()
    const counted: RealServer['fetch'] = (...request) => {
      figures.requests++
      return server.fetch(...request)
    }
    const queue = openTrackQueue({
      baseUrl: server.url,
      token,
      storage: mortalStorage(storage, life, () => fullWrites-- > 0),
      fetch: mortalFetch(faultyFetch(refusingFetch(counted, refusals), nextFault), life),
      maxPointsPerRequest: maxPoints,
      compress: false,
      // The server is to judge bad points.
      checkPoint: () => [],
      now: () => clockMs + steadyMs,
      steady: () => steadyMs,
      random,
    })
    return { queue, life }
  }

  function nextFault(): string | undefined {
    return faults.shift()
  }

  let app = open()
  let other = isShared ? open() : app

  /** Waits for a call of an app, which may die meanwhile. Returns whether the call has succeeded. */
  async function ask({ life }: App, call: Promise<unknown>): Promise<boolean> {
    const outcome = await Promise.race([
      call.then(
        () => 'done',
        (error: unknown) => error,
      ),
      life.death,
    ])
    if (life.isOver) revive()
    if (outcome instanceof Error && outcome.name !== 'QueueStorageError') throw outcome
    return outcome === 'done'
  }

  function revive(): void {
    if (other === app) other = app.life.isOver ? open() : app
    if (other.life.isOver) other = open()
    if (app.life.isOver) {
      figures.kills++
      app = isShared ? open() : other
    }
  }

  async function addTrack(): Promise<void> {
    if (isTrackKnown) return
    const isAdded = await ask(app, app.queue.createTrack({ activity_type: 'run' }, name))
    isTrackKnown = isAdded || (await storage.read('t', 'u', 1)).length > 0
  }

  async function add(which: App, added: Given[], copies: number): Promise<void> {
    await addTrack()
    if (!isTrackKnown || which.life.isOver) return
    given.push(...added)
    const points = [...added, ...added.filter(({ isBad }) => !isBad).slice(0, copies)].map(({ point }) => point)
    if (!(await ask(which, which.queue.addPoints(name, points)))) return
    for (const one of added) one.isAcknowledged = true
  }

  async function changeState(state: string, call: () => Promise<void>): Promise<void> {
    await addTrack()
    if (!isTrackKnown) return
    const change: GivenState = { state, isAcknowledged: false }
    states.push(change)
    change.isAcknowledged = await ask(app, call())
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'add': {
        const added = Array.from({ length: step.good + step.bad }, (_, at) =>
          makePoint(given.length + at, at >= step.good),
        )
        return await add(step.from === 'app' ? app : other, added, step.copies)
      }
      case 'add again':
        return await add(app, [], 0).then(async () => {
          const known = given.filter(({ isBad }) => !isBad).slice(-3)
          if (isTrackKnown && known.length > 0)
            await ask(
              app,
              app.queue.addPoints(
                name,
                known.map(({ point }) => point),
              ),
            )
        })
      case 'pause':
        return await changeState('paused', () => app.queue.updateTrack(name, { state: 'paused' }))
      case 'go on':
        return await changeState('running', () => app.queue.updateTrack(name, { state: 'running' }))
      case 'finish':
        return await changeState('stopped', () => app.queue.finishTrack(name))
      case 'rename': {
        await addTrack()
        if (isTrackKnown) await ask(app, app.queue.updateTrack(name, { title: 'Renamed' }))
        return
      }
      case 'send':
        await ask(app, app.queue.flush())
        return
      case 'send from both pages': {
        const [one, two] = [app, other]
        await Promise.all([ask(one, one.queue.flush()), ask(two, two.queue.flush())])
        return
      }
      case 'network':
        faults = step.faults
        return
      case 'pass':
        steadyMs += step.ms
        return
      case 'kill':
        app.life.dieAfter(step.after, step.isTooLate)
        return
      case 'set the clock':
        clockMs += step.byMs
        return
      case 'fill the storage':
        fullWrites = step.writes
        return
      case 'exchange the token': {
        // A new track would be made in the event of the token.
        const isCreated = (await storage.read('t', 'u', 1)).some(([, value]) => 'id' in JSON.parse(value))
        if (step.kind === 'foreign' && !isCreated) return
        const [valid, otherValid] = server.tokens.valid
        const { foreign, revoked } = server.tokens
        token = { valid, 'other valid': otherValid, revoked, foreign }[step.kind]
        await ask(app, app.queue.setToken(token))
        await ask(other, other.queue.setToken(token))
        return
      }
    }
  }

  async function recover(): Promise<void> {
    faults = []
    fullWrites = 0
    token = server.tokens.valid[0]
    app = open()
    other = app
    await app.queue.setToken(token)
    for (let times = 0; times < MOST_FLUSHES; times++) {
      const state = await app.queue.flush()
      if (state.state === 'idle') return
      assert.ok('waitMs' in state, `the queue has stopped: ${JSON.stringify(state)}`)
      steadyMs += state.waitMs
    }
    assert.fail(`the queue is stuck: ${JSON.stringify([app.queue.state, await app.queue.tracks()])}`)
  }

  for (const step of steps) await take(step)
  await recover()
  if (!isTrackKnown) return figures
  await compare()
  return figures

  async function compare(): Promise<void> {
    const [status] = await app.queue.tracks()
    assert.deepEqual([status.held, status.unsentPoints, status.unsentRequests], [undefined, 0, 0])
    const headers = { 'X-API-Key': token }
    const read = async (path: string) => {
      const response = await server.fetch(`${server.url}/tracks/${status.id}${path}`, { method: 'GET', headers })
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return JSON.parse(text)
    }
    const { points } = (await read('/points')) as { points: { latitude: number }[] }
    const listed = Map.groupBy(points, ({ latitude }) => latitude)
    const aside = (await app.queue.setAside()).flatMap((one) => one.points ?? [])
    const refused = Map.groupBy(aside, ({ point }) => point.latitude as number)
    for (const { point, isBad, isAcknowledged } of given) {
      const { latitude } = point
      const found = (isBad ? refused : listed).get(latitude) ?? []
      if (isAcknowledged) assert.ok(found.length > 0, `lost: ${JSON.stringify(point)}`)
      assert.ok(found.length < 2, `doubled: ${JSON.stringify(point)}`)
      assert.ok(!(isBad ? listed : refused).has(latitude), `${isBad ? 'stored' : 'refused'}: ${JSON.stringify(point)}`)
      if (found.length > 0 && !isBad) assert.deepEqual(found, [cleanPoint(point)])
    }
    const known = new Set(given.map(({ point }) => point.latitude))
    for (const latitude of [...listed.keys(), ...refused.keys()])
      assert.ok(known.has(latitude), `invented: ${latitude}`)
    figures.points += points.length
    figures.refused += aside.length
    if (states.length === 1) return
    const { state } = (await read('')) as { state: string }
    const possible = states.slice(states.findLastIndex(({ isAcknowledged }) => isAcknowledged)).map((one) => one.state)
    assert.ok(possible.includes(state), `the track is ${state}, and was last ${possible.join(' or ')}`)
  }
}

/** Makes a point that no other of the schedule equals; several share a time, and some lack fields. */
function makePoint(index: number, isBad: boolean): Given {
  const point: PointInput = {
    latitude: isBad ? 91 + index : 45 + index / 1000,
    longitude: 6.87,
    timestamp: START_MS + Math.floor(index / 2) * 1000,
    ...(index % 3 === 0 && { altitude: 1035.2 + index }),
    ...(index % 4 === 1 && { heading: -1, speed_mps: 1.4 }),
  }
  return { point, isBad, isAcknowledged: false }
}
