import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OperatorService } from '../../src/operator/service.ts'
import { type Browser, createBrowser } from './browser.ts'

/**
 * Returns a browser in which a new operator of a running program is signed in: `request` sends the session's cookie, as the
 * pages of the dashboard do.
 */
export async function signIn(service: {
  url: string
  server: { operator: OperatorService | undefined }
}): Promise<Browser> {
  const { link } = await service.server.operator!.deps.accounts.create(`Operator ${randomUUID()}`)
  const browser = createBrowser(service.url)
  const token = link.path.split('#token=')[1]
  const response = await browser.request('POST', '/operator/sign-in-link', { token, password: randomUUID() })
  assert.equal(response.status, 200, await response.text())
  return browser
}
