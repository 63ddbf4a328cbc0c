import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { startOperator } from './support/start-operator.ts'

const [database] = databases

describe('security.txt', async () => {
  const settings = {
    SECURITY_CONTACT: 'security@example.org, https://example.org/report',
    BASE_URL: 'https://127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const operator = await startOperator({ after }, database, { settings })
  const url = operator.url.replace('localhost', '127.0.0.1')

  test('names the contacts, and when it expires', async () => {
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
