import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { startOperator } from './support/start-operator.ts'

const [database] = databases

describe('reports of the content security policy', async () => {
  const settings = {
    SECURITY_CONTACT: 'security@example.org, https://example.org/report',
    BASE_URL: 'https://127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const operator = await startOperator({ after }, database, { settings })
  const url = operator.url.replace('localhost', '127.0.0.1')
  const send = (type: string, body: unknown) =>
    fetch(`${url}/csp-reports`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const metrics = async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith('csp_reports_total{'))
  }

  test('are asked for by every page, and with https in the newer format too', async () => {
    const plain = await fetch(`${url}/dashboard/`)
    const secure = await fetch(`${url}/dashboard/`, { headers: { 'X-Forwarded-Proto': 'https' } })

    assert.match(plain.headers.get('content-security-policy')!, /; report-uri \/csp-reports$/)
    assert.equal(plain.headers.get('reporting-endpoints'), null)
    assert.match(secure.headers.get('content-security-policy')!, /; report-uri \/csp-reports; report-to csp$/)
    assert.equal(secure.headers.get('reporting-endpoints'), 'csp="/csp-reports"')
  })

  test('are counted in both formats, those of extensions apart', async () => {
    const old = {
      'document-uri': 'https://127.0.0.1/s/shr_secret?x',
      'violated-directive': "img-src 'self'",
      'blocked-uri': 'https://evil.example/a?b',
    }
    const body = {
      documentURL: 'https://127.0.0.1/p/title',
      effectiveDirective: 'script-src-elem',
      blockedURL: 'inline',
    }

    const answers = [
      await send('application/csp-report', { 'csp-report': old }),
      await send('application/reports+json', [
        { type: 'csp-violation', body },
        { type: 'csp-violation', body: { ...body, sourceFile: 'chrome-extension://abc/x.js' } },
        { type: 'csp-violation', body: { ...body, effectiveDirective: 'made-up' } },
        { type: 'deprecation', body: {} },
      ]),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204],
    )
    assert.deepEqual((await metrics()).sort(), [
      'csp_reports_total{page="reader",directive="other",by="page"} 1',
      'csp_reports_total{page="reader",directive="script-src-elem",by="extension"} 1',
      'csp_reports_total{page="reader",directive="script-src-elem",by="page"} 1',
      'csp_reports_total{page="spectator",directive="img-src",by="page"} 1',
    ])
  })

  test('are refused if they are too large, of another type, malformed, or too many', async () => {
    await readProblem(await send('application/csp-report', 'x'.repeat(20_000)), 413, 'PAYLOAD_TOO_LARGE')
    await readProblem(await send('application/csp-report', '{'), 400, 'BAD_REQUEST')
    await readProblem(await send('text/html', '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE')

    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await send('application/csp-report', {})).status),
    )

    assert.deepEqual([...new Set(statuses)].sort(), [204, 429])
  })

  test('security.txt names the contacts, and when it expires', async () => {
    const response = await fetch(`${url}/.well-known/security.txt`)

    const lines = (await response.text()).trim().split('\n')
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('Expires')),
      [
        'Contact: mailto:security@example.org',
        'Contact: https://example.org/report',
        'Canonical: https://127.0.0.1/.well-known/security.txt',
      ],
    )
    const days = (Date.parse(lines[2].replace('Expires: ', '')) - operator.clock.nowMs) / 86_400_000
    assert.ok(days > 178 && days <= 180, lines[2])
  })
})
