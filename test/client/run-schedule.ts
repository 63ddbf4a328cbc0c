import assert from 'node:assert/strict'
import type { PointInput } from '../../clients/typescript/src/queue/wire.ts'
import { memoryStorage } from '../../clients/typescript/src/storage/memory-storage.ts'
import type { QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'
import { openTrackQueue, type TrackQueue } from '../../clients/typescript/src/track-queue.ts'
import { compareTrack, type GivenPoint, type GivenState } from './compare-track.ts'
import { faultyFetch, refusingFetch } from './faulty-network.ts'
import { beginLife, type Life, mortalFetch, mortalStorage } from './mortal-app.ts'
import type { Schedule, Step } from './schedule.ts'
import type { ScheduleServer } from './schedule-server.ts'

/** Counts of nothing. */
export const noFigures = () => ({ requests: 0, points: 0, refused: 0, kills: 0, stops: 0, discards: 0 })

/** Counts of one schedule or of many. */
export type Figures = ReturnType<typeof noFigures>

/** One process of an app. `isStopped` from a call of `stop` to the next of `flush`. */
type App = { queue: TrackQueue; life: Life; isStopped: boolean; requests: number }

const START_MS = Date.UTC(2026, 4, 3, 6)
/** Attempts after which a queue that is not empty counts as stuck. */
const MOST_FLUSHES = 400

/**
 * Runs a schedule against the server, then lets everything recover, and compares what the server has with what the
 * queue was given.
 * @param name makes the track different from those of all other schedules
 * @throws AssertionError if a point is lost, doubled or altered, if a request begins after `stop`, or if anything of a
 * discarded track stays or comes back
 */
export async function runSchedule(
  server: ScheduleServer,
  { steps, maxPoints, isShared, refusals }: Schedule,
  name: string,
  storage: QueueStorage = memoryStorage(),
): Promise<Figures> {
  const given: GivenPoint[] = []
  const states: GivenState[] = [{ state: 'running', isAcknowledged: true }]
  const figures = noFigures()
  /** What must never happen. Thrown in `fetch`, it would only be a lost request. */
  const violations: string[] = []
  /** Calls that the app has made while another was running. */
  const underWay: Promise<unknown>[] = []
  let faults: string[] = []
  let fullWrites = 0
  let steadyMs = 0
  let clockMs = START_MS
  let token: string = server.tokens.valid[0]
  let chance = 0
  let isTrackKnown = false
  let discardsEnded = 0

  const random = () => {
    chance = (chance + 0.381_966) % 1
    return chance
  }

  function open(): App {
    const life = beginLife()
    const counted: ScheduleServer['fetch'] = (...request) => {
      figures.requests++
      return server.fetch(...request)
    }
    const network = mortalFetch(faultyFetch(refusingFetch(counted, refusals), nextFault), life)
    const queue = openTrackQueue({
      baseUrl: server.url,
      token,
      storage: mortalStorage(storage, life, () => fullWrites-- > 0),
      fetch: (...request) => watched(opened, () => network(...request)),
      maxPointsPerRequest: maxPoints,
      compress: false,
      // The server is to judge bad points.
      checkPoint: () => [],
      now: () => clockMs + steadyMs,
      steady: () => steadyMs,
      random,
    })
    const opened: App = { queue, life, isStopped: false, requests: 0 }
    return opened
  }

  function nextFault(): string | undefined {
    return faults.shift()
  }

  /** Sends a request, which must be the only one of its app, and not begin after `stop`. */
  async function watched<Result>(one: App, request: () => Promise<Result>): Promise<Result> {
    if (one.isStopped) violations.push('a request after stop')
    if (one.requests++ > 0) violations.push('two requests at the same time')
    try {
      return await request()
    } finally {
      one.requests--
    }
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
    if (!(outcome instanceof Error)) return outcome === 'done'
    const isGone = figures.discards > 0 && outcome.message === `The queue has no track ${name}.`
    if (outcome.name !== 'QueueStorageError' && !isGone) throw outcome
    return false
  }

  function revive(): void {
    if (other === app) other = app.life.isOver ? open() : app
    if (other.life.isOver) other = open()
    if (app.life.isOver) {
      figures.kills++
      app = isShared ? open() : other
    }
  }

  /** Makes a call that adds something. It is acknowledged, unless the track is being discarded at the same time. */
  async function give(which: App, added: { isAcknowledged: boolean }[], call: () => Promise<unknown>): Promise<void> {
    const before = discardsEnded
    const isDone = await ask(which, call())
    if (isDone && figures.discards === before) for (const one of added) one.isAcknowledged = true
  }

  async function send(which: App): Promise<void> {
    which.isStopped = false
    await ask(which, which.queue.flush())
  }

  function stop(which: App, sendsAgain: boolean): void {
    figures.stops++
    which.queue.stop()
    which.isStopped = true
    // The new run begins only when the request that is under way has its answer.
    if (sendsAgain) underWay.push(send(which))
  }

  /** Discards the track: from now on, nothing that it was given needs to arrive. */
  async function discard(which: App): Promise<void> {
    if (!isTrackKnown || which.life.isOver) return
    figures.discards++
    for (const one of [...given, ...states]) one.isAcknowledged = false
    if (await ask(which, which.queue.discardTrack(name))) isTrackKnown = false
    discardsEnded++
  }

  /** Looks at the storage once the track was discarded, or may have been. */
  async function checkDiscarded(): Promise<void> {
    const [track] = await storage.read('t', 'u', 1)
    const [entry] = await storage.read('e', 'f', 1)
    if (!isTrackKnown) assert.equal(track, undefined, 'a discarded track has come back')
    if (track === undefined) assert.equal(entry, undefined, 'something of a discarded track stays')
    isTrackKnown = track !== undefined
  }

  async function addTrack(): Promise<void> {
    if (isTrackKnown) return
    // After a discarded one, as when an app signs in anew.
    if (token === server.tokens.foreign) await setToken('valid')
    const isAdded = await ask(app, app.queue.createTrack({ activity_type: 'run' }, name))
    isTrackKnown = isAdded || (await storage.read('t', 'u', 1)).length > 0
  }

  async function add(which: App, added: GivenPoint[], copies: number): Promise<void> {
    await addTrack()
    if (!isTrackKnown || which.life.isOver) return
    given.push(...added.filter((one) => !given.includes(one)))
    const points = [...added, ...added.filter(({ isBad }) => !isBad).slice(0, copies)].map(({ point }) => point)
    await give(which, added, () => which.queue.addPoints(name, points))
  }

  async function changeState(state: string, call: () => Promise<void>): Promise<void> {
    await addTrack()
    if (!isTrackKnown) return
    const change: GivenState = { state, isAcknowledged: false }
    states.push(change)
    await give(app, [change], call)
  }

  async function setToken(kind: (Step & { do: 'exchange the token' })['kind']): Promise<void> {
    // A new track would be made in the event of the token.
    const isCreated = (await storage.read('t', 'u', 1)).some(([, value]) => 'id' in JSON.parse(value))
    if (kind === 'foreign' && !isCreated) return
    const [valid, otherValid] = server.tokens.valid
    const { foreign, revoked } = server.tokens
    token = { valid, 'other valid': otherValid, revoked, foreign }[kind]
    await ask(app, app.queue.setToken(token))
    await ask(other, other.queue.setToken(token))
  }

  async function take(step: Step): Promise<unknown> {
    switch (step.do) {
      case 'add': {
        const added = Array.from({ length: step.good + step.bad }, (_, at) =>
          makePoint(given.length + at, at >= step.good),
        )
        return await add(step.from === 'app' ? app : other, added, step.copies)
      }
      case 'add again':
        return await add(app, given.filter(({ isBad }) => !isBad).slice(-3), 0)
      case 'pause':
        return await changeState('paused', () => app.queue.updateTrack(name, { state: 'paused' }))
      case 'go on':
        return await changeState('running', () => app.queue.updateTrack(name, { state: 'running' }))
      case 'finish':
        return await changeState('stopped', () => app.queue.finishTrack(name))
      case 'rename': {
        await addTrack()
        return isTrackKnown && (await ask(app, app.queue.updateTrack(name, { title: 'Renamed' })))
      }
      case 'send':
        return await send(app)
      case 'send from both pages': {
        return await Promise.all([send(app), ...(other === app ? [] : [send(other)])])
      }
      case 'network':
        faults = [...step.faults]
        return
      case 'portal':
        faults = Array.from({ length: step.requests }, () => step.fault)
        return
      case 'pass':
        steadyMs += step.ms
        return
      case 'kill':
        return app.life.dieAfter(step.after, step.isTooLate)
      case 'stop': {
        const which = app
        return which.life.doAfter(step.after, () => stop(which, step.sendsAgain))
      }
      case 'discard':
        return app.life.doAfter(step.after, () => underWay.push(discard(step.from === 'app' ? app : other)))
      case 'set the clock':
        clockMs += step.byMs
        return
      case 'fill the storage':
        fullWrites = step.writes
        return
      case 'exchange the token':
        return await setToken(step.kind)
    }
  }

  async function emptyQueue(): Promise<void> {
    for (let times = 0; times < MOST_FLUSHES; times++) {
      const state = await app.queue.flush()
      if (state.state === 'idle') return
      assert.ok('waitMs' in state, `the queue has ended: ${JSON.stringify(state)}`)
      steadyMs += state.waitMs
    }
    assert.fail(`the queue is stuck: ${JSON.stringify([app.queue.state, await app.queue.tracks()])}`)
  }

  async function recover(): Promise<void> {
    faults = []
    fullWrites = 0
    token = server.tokens.valid[0]
    app = open()
    other = app
    await app.queue.setToken(token)
    await emptyQueue()
    if (isTrackKnown || figures.discards === 0) return
    // The server may have it, with what was sent before it was discarded.
    await checkDiscarded()
    await addTrack()
    await emptyQueue()
  }

  for (const step of steps) {
    const { discards } = figures
    await take(step)
    while (underWay.length > 0) await Promise.all(underWay.splice(0))
    if (figures.discards > discards) await checkDiscarded()
  }
  await recover()
  assert.deepEqual(violations, [])
  if (!isTrackKnown) return figures
  const { stored, refused } = await compareTrack(server, token, app.queue, given, states)
  return { ...figures, points: stored, refused }
}

/** Makes a point that no other of the schedule equals; several share a time, and some lack fields. */
function makePoint(index: number, isBad: boolean): GivenPoint {
  const point: PointInput = {
    latitude: isBad ? 91 + index : 45 + index / 1000,
    longitude: 6.87,
    timestamp: START_MS + Math.floor(index / 2) * 1000,
    ...(index % 3 === 0 && { altitude: 1035.2 + index }),
    ...(index % 4 === 1 && { heading: -1, speed_mps: 1.4 }),
  }
  return { point, isBad, isAcknowledged: false }
}
