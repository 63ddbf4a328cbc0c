import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TRACKS_ALONE } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { sendText } from '../support/send-bytes.ts'
import { startProgram } from './start-program.ts'

const WRONG = 'trk_wrongwrongwrongwrongwrongwrongwrongwrongwro'

for (const database of databases) {
  describe(`The log on ${database.name}`, () => {
    test('never contains a token, valid or invalid, at any log level', async (t) => {
      const { installation, process, request, tracks } = await startProgram(t, database, {
        ...TRACKS_ALONE,
        LOG_LEVEL: 'trace',
        LOG_REQUESTS: 'true',
      })
      const { url, token } = process
      const id = await tracks.sync({ points: makePoints(10) })
      await tracks.finish(id)

      for (const authorization of [`Bearer ${token}`, `Bearer ${WRONG}`, token, WRONG]) {
        await fetch(`${url}/tracks`, { headers: { Authorization: authorization } })
        await request('GET', `/tracks?cursor=${token}`, undefined, { Authorization: authorization })
      }
      await request('GET', '/tracks', undefined, { 'X-API-Key': WRONG })
      await request('GET', `/tracks?token=${token}&api_key=${WRONG}`)
      await request('POST', '/tracks', { device_track_id: '' })
      await request('POST', '/nothing', {}, { 'X-API-Key': WRONG })
      await request('PUT', '/tracks', { token })
      await request('POST', '/tracks', undefined, { 'Content-Encoding': 'br', 'Content-Type': 'application/json' })
      await sendText(url, `GET /tracks HTTP/1.1\r\nHost: x\r\nX-API-Key: ${token}\r\nBroken header\r\n\r\n`)
      for (const secret of [token, WRONG]) {
        await fetch(`${url}/in/${secret}/osmand?id=1&lat=91&lon=1&timestamp=1`)
        await fetch(`${url}/in/${secret}/overland`, { method: 'POST', body: `{"locations":["${secret}"` })
        await fetch(`${url}/in/${secret}/unknown`)
        await fetch(`${url}/in/${secret}/osmand`, { method: 'PUT' })
        await fetch(`${url}/in/${secret}%/osmand`)
        await sendText(url, `GET /in/${secret}/osmand HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n`)
      }
      const metrics = await (await fetch(`${url}/metrics`)).text()
      const rotated = (await installation.command('events', 'create', 'Logged')).answer as { token: string }
      await request('GET', '/tracks', undefined, { 'X-API-Key': rotated.token })
      await process.stop()

      const { stdout, stderr } = process.output()
      assert.ok(stderr.split('\n').length > 15, stderr)
      assert.equal(stdout.split(token).length, 2, 'the banner alone shows it')
      for (const secret of [token, WRONG, rotated.token]) {
        assert.equal(metrics.includes(secret), false)
        assert.equal(stderr.includes(secret), false)
        assert.equal(stderr.includes(secret.slice(4, 24)), false)
      }
    })

    // Lines are the same on every database.
    const skip = database !== databases[0] && 'tested once'
    test('has one JSON object per line, with the id of the request', { skip }, async (t) => {
      const { process, request } = await startProgram(t, database, { ...TRACKS_ALONE, LOG_LEVEL: 'debug' })

      await request('GET', '/tracks/unknown', undefined, { 'X-Request-Id': 'find-me-again' })
      await process.stop()

      const lines = process.output().stderr.trim().split('\n')
      const found = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === 'find-me-again')
      assert.equal(found.length, 1)
      const [{ method, route, status }] = found
      assert.deepEqual([method, route, status], ['GET', '/tracks/:id', 404])
    })
  })
}
