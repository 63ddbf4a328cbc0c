import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { held, sizes, startTarget } from '../support/attack.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'

const SIZE = sizes({ attackers: 20, guesses: 60 }, { attackers: 200, guesses: 5_000 })
const PASSWORD = 'a quiet lake at dawn'

describe('attacks on the passwords of readers', async () => {
  // So that the attacker has as many addresses as a botnet.
  const target = await startTarget({ after }, undefined, { TRUSTED_PROXIES: '127.0.0.0/8' })
  const service = { url: target.url, request: target.publish }
  const { slug } = await publishPdf(service, { title: 'Locked' })
  const { slug: other } = await publishPdf(service, { title: 'Open' })
  await untilRendered(service, slug)
  await untilRendered(service, other)
  const locked = await target.publish('PATCH', `/publications/${slug}`, { password: PASSWORD })
  assert.equal(locked.status, 200, await locked.text())

  const basic = (password: string) => `Basic ${Buffer.from(`:${password}`).toString('base64')}`
  const statusOf = async (path: string, headers: Record<string, string>) => {
    const response = await target.read(path, headers)
    await response.arrayBuffer()
    return response.status
  }
  const guess = (address: string) => {
    const headers = { 'x-forwarded-for': address, authorization: basic('not the right one') }
    return statusOf(`/publications/${slug}`, headers)
  }

  test('guesses from everywhere try few passwords, and whoever has given it reads on', async (t) => {
    const given = await fetch(`${target.url}/p/${slug}/password`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': '192.0.2.77' },
      body: new URLSearchParams({ password: PASSWORD }),
    })
    assert.equal(given.status, 303)
    const reader = { 'x-forwarded-for': '192.0.2.77', cookie: given.headers.getSetCookie()[0].split(';')[0] }
    const statuses: number[] = []
    let isOver = false
    const attack = async (_: unknown, i: number) => {
      while (!isOver) statuses.push(await guess(`198.51.${100 + (i >> 8)}.${i & 255}`))
    }
    const attackers = Array.from({ length: SIZE.attackers }, attack)
    while (statuses.length < SIZE.guesses) await setTimeout(20)

    const read = [await statusOf(`/p/${slug}`, reader), await statusOf(`/publications/${slug}/images`, reader)]
    const open = await statusOf(`/p/${other}`, { 'x-forwarded-for': '192.0.2.78' })
    isOver = true
    await Promise.all(attackers)

    assert.deepEqual([...read, open], [200, 200, 200])
    const tried = statuses.filter((status) => status === 401).length
    const refused = statuses.filter((status) => status === 429 || status === 503).length
    assert.equal(tried + refused, statuses.length)
    assert.ok(statuses.includes(429))
    assert.ok(tried < SIZE.attackers * 10, `${tried} guesses were tried`)
    held(t, { guesses: [statuses.length, ''], 'guesses tried': [tried, ''] })
  })
})
