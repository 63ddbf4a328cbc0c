import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { held, sizes, startTarget } from '../support/attack.ts'
import { type Browser, createBrowser } from '../support/browser.ts'

const SIZE = sizes(
  { attackers: 10, guesses: 40, flood: 30, failing: 30, networks: 3 },
  { attackers: 100, guesses: 5_000, flood: 1_000, failing: 400, networks: 20 },
)
const PASSWORD = 'a quiet lake at dawn'

describe('attacks on sign-in', async () => {
  // So that the attacker has as many addresses as a botnet.
  const target = await startTarget({ after }, undefined, { TRUSTED_PROXIES: '127.0.0.0/8' })
  const operator = await knownBrowser()

  async function knownBrowser(): Promise<Browser> {
    const { answer } = await target.installation.admin('operators', 'sign-in-link')
    const [, token] = JSON.stringify(answer).match(/#token=(lnk_[\w-]+)/)!
    const browser = createBrowser(target.url)
    const response = await browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD })
    assert.equal(response.status, 200, await response.text())
    await browser.request('DELETE', '/operator/session')
    return browser
  }

  const signInFrom = (browser: Browser, address: string, name: string, password: string) =>
    browser.request('POST', '/operator/session', { name, password }, { 'X-Forwarded-For': address })

  const guess = async (address: string, name: string) => {
    const response = await signInFrom(createBrowser(target.url), address, name, 'not the right one')
    await response.arrayBuffer()
    return response.status
  }

  /** Guesses from many addresses of some networks, each as soon as its last guess is answered, until the end. */
  function failWithoutEnd() {
    const statuses: number[] = []
    let isOver = false
    const attack = async (_: unknown, i: number) => {
      for (let turn = 0; !isOver; turn++) {
        statuses.push(await guess(`203.0.${100 + (i % SIZE.networks)}.${i & 255}`, `x${turn}`))
        await setTimeout(100)
      }
    }
    const attackers = Array.from({ length: SIZE.failing }, attack)
    /** Resolves when one more guess is refused because too many wait. */
    const untilRefused = async () => {
      const before = statuses.length
      while (!statuses.includes(503, before)) await setTimeout(5)
    }
    const end = async () => {
      isOver = true
      await Promise.all(attackers)
    }
    return { statuses, untilRefused, end }
  }

  test('somebody who signs in for the first time from a new browser gets in at once while addresses fail without end', async (t) => {
    const attack = failWithoutEnd()
    const waits: number[] = []
    const answers: number[] = []
    const signInAnew = async (address: string) => {
      const startedAtMs = performance.now()
      answers.push((await signInFrom(createBrowser(target.url), address, 'operator', PASSWORD)).status)
      waits.push(performance.now() - startedAtMs)
    }

    // In the first seconds, all addresses are new.
    await attack.untilRefused()
    await signInAnew('192.0.2.77')
    while (attack.statuses.length < 4 * SIZE.failing) await setTimeout(20)
    await attack.untilRefused()
    await signInAnew('198.51.100.77')
    // The attack outlasts the sign-in.
    await attack.untilRefused()
    await attack.end()

    assert.deepEqual(answers, [200, 200])
    held(t, {
      guesses: [attack.statuses.length, ''],
      'wait of a new browser in the first seconds': [waits[0], 'ms'],
      'wait of another one later': [waits[1], 'ms'],
    })
  })

  test('failures for a name from everywhere do not lock its operator out of a known browser', async (t) => {
    const statuses: number[] = []
    let isOver = false
    const attack = async (_: unknown, i: number) => {
      while (!isOver) statuses.push(await guess(`198.51.${100 + (i >> 8)}.${i & 255}`, 'operator'))
    }
    const attackers = Array.from({ length: SIZE.attackers }, attack)
    while (statuses.length < SIZE.guesses) await setTimeout(20)

    const known = await signInFrom(operator, '198.51.100.1', 'operator', PASSWORD)
    isOver = true
    await Promise.all(attackers)

    assert.equal(known.status, 200)
    assert.ok(statuses.includes(429))
    held(t, {
      guesses: [statuses.length, ''],
      'guesses tried': [statuses.filter((status) => status === 401).length, ''],
    })
  })

  test('a flood of guesses for any name does not hold up a known browser, and is counted where it is refused', async (t) => {
    const flood = Promise.all(
      Array.from({ length: SIZE.flood }, (_, i) => guess(`2001:db8:${i % 40}:${i}::1`, `nobody ${i}`)),
    )
    await setTimeout(300)

    const startedAtMs = performance.now()
    const known = await signInFrom(operator, '2001:db8::1', 'operator', PASSWORD)
    const waitedMs = performance.now() - startedAtMs
    const statuses = await flood

    assert.equal(known.status, 200)
    assert.ok(statuses.includes(503))
    held(t, {
      guesses: [statuses.length, ''],
      'refused because too many wait': [statuses.filter((status) => status === 503).length, ''],
      'wait of the known browser': [waitedMs, 'ms'],
    })
  })
})
