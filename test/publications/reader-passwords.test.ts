import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

const PASSWORD = 'un été à Genève'
const HOUR_MS = 3_600_000

describeOn(oneDatabase, 'passwords of readers', async (database) => {
  let nowMs = Date.UTC(2026, 4, 3, 8)
  const service = await startService({ after }, database, { services: ['publications'], now: () => nowMs })
  const read = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, service.url), { headers, redirect: 'manual' })
  const change = async (slug: string, body: object) =>
    await answer(await service.request('PATCH', `/publications/${slug}`, body), 200)
  const publish = async (title: string, body: object = { password: PASSWORD }) => {
    const { slug } = await publishPdf(service, { title })
    await untilRendered(service, slug)
    await change(slug, body)
    return slug
  }
  const give = async (slug: string, password: string, headers: Record<string, string> = {}) =>
    await fetch(`${service.url}/p/${slug}/password`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ password }),
    })
  const cookieOf = (response: Response) => ({ cookie: response.headers.getSetCookie()[0].split(';')[0] })
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` })

  test('the form exchanges the right one for a cookie of this publication, and a wrong one for the form', async () => {
    const [slug, other] = [await publish('Asked for'), await publish('Another')]

    const wrong = await give(slug, 'not the password')
    const page = await wrong.text()
    const right = await give(slug, PASSWORD)

    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []])
    assert.match(page, /role="alert">The password is wrong/)
    assert.match(page, /autocomplete="current-password"/)
    assert.equal(wrong.headers.get('www-authenticate'), null)
    assert.deepEqual([right.status, right.headers.get('location')], [303, `${service.url}/p/${slug}`])
    const cookies = right.headers.getSetCookie()
    assert.deepEqual(
      cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1]),
      [`/p/${slug}`, `/publications/${slug}`],
    )
    for (const cookie of cookies) assert.match(cookie, /; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const opened = await read(`/p/${slug}`, cookieOf(right))
    assert.deepEqual([opened.status, opened.headers.get('cache-control')], [200, 'private, no-store'])
    assert.equal((await read(`/p/${other}`, cookieOf(right))).status, 401)
    const altered = { cookie: cookieOf(right).cookie.replace(/=\d/, '=9') }
    assert.equal((await read(`/p/${slug}`, altered)).status, 401)
    nowMs += 31 * 24 * HOUR_MS
    assert.equal((await read(`/p/${slug}`, cookieOf(right))).status, 401)
  })

  test('programs send it as Basic with an empty name, are told what is missing, and get addresses that end', async () => {
    const slug = await publish('For programs')
    const path = `/publications/${slug}/images`

    const problem = await readProblem(await read(path), 401, 'UNAUTHORIZED')
    const wrong = await readProblem(await read(path, basic('not the password')), 401, 'UNAUTHORIZED')
    const named = { authorization: `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}` }

    assert.equal((problem as unknown as { reason: string }).reason, 'password_required')
    assert.equal((wrong as unknown as { reason: string }).reason, 'password_wrong')
    assert.match((await read(path)).headers.get('www-authenticate')!, /^Basic /)
    assert.equal((await read(path, { 'sec-fetch-site': 'same-origin' })).headers.get('www-authenticate'), null)
    assert.equal((await read(path, named)).status, 401)
    const { images } = await answer<{ images: string[] }>(await read(path, basic(PASSWORD.normalize('NFD'))), 200)
    const image = await read(images[0])
    assert.deepEqual([image.status, image.headers.get('cache-control')], [200, 'private, no-store'])
    nowMs += 600_001
    assert.equal((await read(images[0])).status, 410)
  })

  test('another password, and none, end what the former opened', async () => {
    const slug = await publish('Changed')
    const cookie = cookieOf(await give(slug, PASSWORD))
    const addresses = async (headers: Record<string, string>) => {
      const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`, headers), 200)
      const { url } = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`, headers), 200)
      return [images[0], `${images[0]}/600.webp`, url]
    }
    const held = await addresses(cookie)
    for (const address of held) assert.equal((await read(address)).status, 200)

    await change(slug, { password: 'another password' })

    assert.equal((await read(`/p/${slug}`, cookie)).status, 401)
    assert.equal((await read(`/publications/${slug}`, basic(PASSWORD))).status, 401)
    for (const address of held) assert.equal((await read(address)).status, 410)
    const later = await addresses(basic('another password'))
    await change(slug, { title: 'Changed, renamed' })
    for (const address of later) assert.equal((await read(address)).status, 200)
    await change(slug, { password: null })
    assert.equal((await read(`/p/${slug}`)).status, 200)
    for (const address of later) assert.equal((await read(address)).status, 410)
  })

  test('guesses are slowed down by address and by publication, and the right password waits as well', async () => {
    const slug = await publish('Guessed')
    const cookie = cookieOf(await give(slug, PASSWORD))
    let attempts = 0
    for (; attempts < 100; attempts++) {
      const { status } = await give(slug, `guess number ${attempts}`)
      if (status === 429) break
      assert.equal(status, 401)
    }

    const refused = await give(slug, PASSWORD.toUpperCase())
    assert.ok(attempts >= 5 && attempts <= 10, `${attempts}`)
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /Too many wrong passwords/)
    assert.match(refused.headers.get('retry-after')!, /^\d+$/)
    assert.equal((await read(`/publications/${slug}`, basic('guess by header'))).status, 429)
    assert.equal((await read(`/p/${slug}`, cookie)).status, 200)
    nowMs += 2 * HOUR_MS
    assert.equal((await give(slug, PASSWORD)).status, 303)
  })

  test('a link opens without the password of the publication, and the password opens nothing that is restricted', async () => {
    const slug = await publish('By link', { password: PASSWORD })
    const link = await answer<{ url: string }>(await service.request('POST', `/publications/${slug}/links`, {}), 201)
    const token = new URL(link.url).searchParams.get('link')!

    assert.equal((await read(`/publications/${slug}`, { authorization: `Bearer ${token}` })).status, 200)
    assert.equal((await read(`/p/${slug}?link=${token}`)).status, 302)
    await change(slug, { access: 'restricted' })
    assert.equal((await give(slug, PASSWORD)).status, 404)
    assert.equal((await read(`/publications/${slug}`, basic(PASSWORD))).status, 404)
  })

  test('is 8 to 200 characters, is never returned, and holds from the creation on', async () => {
    const patch = (slug: string, body: object) => service.request('PATCH', `/publications/${slug}`, body)
    const slug = await publish('Kept')

    for (const password of ['1234567', 'x'.repeat(201), 5])
      assert.deepEqual(await wrongPlaces(await patch(slug, { password })), ['password'])
    const told = await (await patch(slug, {})).text()
    const listed = await (await service.request('GET', '/publications')).text()
    assert.match(told, /"has_password":true/)
    for (const text of [told, listed]) assert.doesNotMatch(text, /argon2|password_hash|Gen\u00e8ve/)
    const made = await publishPdf(service, { title: 'From the start', password: PASSWORD })
    assert.equal((await read(`/p/${made.slug}`)).status, 401)
  })
})
