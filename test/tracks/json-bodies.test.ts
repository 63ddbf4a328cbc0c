import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('JSON bodies', { on: oneDatabase }, async ({ service, tracks }) => {
  /** Sends bytes as JSON. */
  const send = async (path: string, body: string | Buffer, type = 'application/json') =>
    await fetch(service.url + path, {
      method: 'POST',
      headers: { 'X-API-Key': service.token, 'Content-Type': type },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const titled = (title: string) => `{"device_track_id":"${randomUUID()}","title":${title}}`
  const readTitle = async (response: Response) =>
    (await tracks.read(((await response.json()) as { id: string }).id)).title

  test('stores text exactly as sent', async () => {
    const titles = [
      ' spaces around ',
      'e\u0301 is not \u00e9',
      '\u{1f6b4}\u200d\u2640\ufe0f',
      '\ufeffmark',
      '\u202eright to left',
      'tab\tand\nline',
      '\u0001\u007f\u0085\u2028',
      '<b>&amp;</b>',
      "'; drop table tracks; --",
      '\\u0000 in words',
      '\u{10ffff}\uffff',
    ]

    for (const title of titles)
      assert.equal(await readTitle(await send('/tracks', titled(JSON.stringify(title)))), title)
  })

  test('decodes escapes', async () => {
    assert.equal(await readTitle(await send('/tracks', titled('"\\ud83d\\ude80 \\u00e0\\/\\t"'))), '\u{1f680} à/\t')
  })

  test('answers 400 for U+0000 in any value or key, unknown ones included', async () => {
    const id = await tracks.create()
    const bodies: [path: string, body: string][] = [
      ['/tracks', titled('"a\\u0000b"')],
      ['/tracks', `{"device_track_id":"${randomUUID()}","unknown":"\\u0000"}`],
      ['/tracks', `{"device_track_id":"${randomUUID()}","\\u0000":1}`],
      ['/sync', `{"track":{"device_track_id":"a\\u0000"},"points":[]}`],
      [`/tracks/${id}/points`, '{"points":[],"note":"\\u0000"}'],
    ]

    for (const [path, body] of bodies) await readProblem(await send(path, body), 400, 'BAD_REQUEST')
  })

  test('answers 400 for half a surrogate pair', async () => {
    for (const half of ['\\ud800', '\\udc00', '\\ud83dx', '\\ude80\\ud83d']) {
      await readProblem(await send('/tracks', titled(`"${half}"`)), 400, 'BAD_REQUEST')
      await readProblem(
        await send('/sync', `{"track":{"device_track_id":"x","user_id":"${half}"},"points":[]}`),
        400,
        'BAD_REQUEST',
      )
    }
  })

  test('answers 400 for a body that is not UTF-8', async () => {
    const [before, behind] = titled('"@"').split('@')
    const wrong = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0xe9]]

    for (const bytes of wrong) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(behind)])
      await readProblem(await send('/tracks', body), 400, 'BAD_REQUEST')
      await readProblem(await send('/sync', body), 400, 'BAD_REQUEST')
    }
    await readProblem(await send('/tracks', Buffer.from(titled('"x"'), 'utf16le')), 400, 'BAD_REQUEST')
  })

  test('skips a byte order mark', async () => {
    const id = await tracks.create()

    const created = await send('/tracks', `\ufeff${titled('"Marked"')}`)
    const added = await send(`/tracks/${id}/points`, `\ufeff${JSON.stringify({ points: makePoints(2) })}`)

    assert.equal(await readTitle(created), 'Marked')
    assert.equal(added.status, 204)
    await readProblem(await send('/tracks', `\ufeff\ufeff${titled('"x"')}`), 400, 'BAD_REQUEST')
  })

  test('answers 400 for a body that is not JSON', async () => {
    const id = await tracks.create()
    const whole = JSON.stringify({ points: makePoints(2) })
    const wrong = [
      '{',
      'not JSON',
      '{"a":1,}',
      "{'a':1}",
      '{"a":NaN}',
      '{"a":01}',
      '{"a":.5}',
      '{"a":+1}',
      '{"a":1}{"b":2}',
      '{"a":"\n"}',
      '// comment\n{}',
      '{"a":undefined}',
      ' ',
      '\u00a0{}',
      ...[1, 10, 30, whole.length - 1].map((end) => whole.slice(0, end)),
    ]

    for (const body of wrong) {
      for (const path of ['/tracks', '/sync', `/tracks/${id}/points`]) {
        const problem = await readProblem(await send(path, body), 400, 'BAD_REQUEST')

        assert.equal(problem.errors!.length, 1)
        assert.equal(problem.errors![0].path, '')
      }
    }
  })

  test('answers 400 for extreme nesting', async () => {
    const id = await tracks.create()

    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ]) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
      await readProblem(await send('/tracks', deep), 400, 'BAD_REQUEST')
      await readProblem(await send('/sync', `{"track":${deep}}`), 400, 'BAD_REQUEST')
      await readProblem(await send(`/tracks/${id}/points`, `{"points":[${deep}]}`), 400, 'BAD_REQUEST')
    }
  })

  test('treats __proto__ and constructor as unknown fields', async () => {
    const trick =
      '"__proto__":{"title":"Owned","device_track_id":"proto"},"constructor":{"prototype":{"title":"Owned"}}'

    const created = await send('/tracks', `{${trick},"device_track_id":"${randomUUID()}"}`)
    const missing = await send('/tracks', `{${trick}}`)
    const synced = await send('/sync', `{"__proto__":{"points":[]},"track":{"device_track_id":"p"}}`)
    const hasOwn = await send('/tracks', '{"hasOwnProperty":1,"toString":2,"device_track_id":"own"}')

    assert.match(await readTitle(created), /^Sortie du /)
    assert.deepEqual(await wrongPlaces(missing), ['device_track_id'])
    assert.deepEqual(await wrongPlaces(synced), ['points'])
    assert.equal(hasOwn.status, 201)
    assert.equal(({} as { title?: string }).title, undefined)
  })

  test('uses the last value of a repeated key', async () => {
    const [one, two] = makePoints(2)
    const id = await tracks.create()
    const point = JSON.stringify(two).replace('{', '{"latitude":1,"altitude":5,"altitude":null,')

    const created = await send('/tracks', titled('"First","title":"Last"'))
    const added = await send(`/tracks/${id}/points`, `{"points":[${JSON.stringify(one)}],"points":[${point}]}`)

    assert.equal(await readTitle(created), 'Last')
    assert.equal(added.status, 204)
    assert.deepEqual((await tracks.points(id)).points, [two])
  })

  test('answers 400 for a number too large for a double', async () => {
    const id = await tracks.create()
    const [point] = makePoints(1)

    for (const field of ['latitude', 'altitude', 'accuracy', 'speed_mps', 'battery']) {
      for (const number of ['1e400', '-1e400']) {
        const body = `{"points":[${JSON.stringify({ ...point, [field]: '@' }).replace('"@"', number)}]}`
        assert.deepEqual(await wrongPlaces(await send(`/tracks/${id}/points`, body)), [`points/0/${field}`])
      }
    }
    const stats = await send(
      '/sync',
      '{"track":{"device_track_id":"big"},"points":[],"stats":{"distance_meters":1e400}}',
    )
    assert.deepEqual(await wrongPlaces(stats), ['stats/distance_meters'])
  })

  test('ignores white space and the order of keys', async () => {
    const id = await tracks.create()
    const points = makePoints(3)
    const reversed = points.map((point) => Object.fromEntries(Object.entries(point).reverse()))

    const answer = await send(`/tracks/${id}/points`, `\r\n\t ${JSON.stringify({ points: reversed }, null, '\t')}  \n`)

    assert.equal(answer.status, 204)
    assert.deepEqual((await tracks.points(id)).points, points)
  })
})
