import { randomUUID } from 'node:crypto'
import { totpCode, totpStep } from '../../../src/operator/factors/one-time-codes.ts'
import type { PasskeyRow } from '../../../src/operator/model/tables.ts'
import type { Browser } from '../../support/browser.ts'
import { answered } from './answered.ts'

/** An authenticator app that a test has set up: `code` is what it shows, now or some steps of 30 seconds away. */
export type App = { secret: string; address: string; code(offset?: number): string; recoveryCodes: string[] | null }

/** Sets up an authenticator app for the operator of a browser, as the dashboard does. */
export async function setUpApp(browser: Browser, clock: { nowMs: number }): Promise<App> {
  const begun = await beginApp(browser, clock)
  const { recovery_codes } = await answered<{ recovery_codes: string[] | null }>(200, confirmApp(browser, begun.code()))
  return { ...begun, recoveryCodes: recovery_codes }
}

/** Begins to set up an app, which does not count yet. */
export async function beginApp(browser: Browser, clock: { nowMs: number }): Promise<Omit<App, 'recoveryCodes'>> {
  const path = '/operator/authenticator-app'
  const made = await answered<{ secret: string; address: string }>(201, browser.request('POST', path))
  const secret = decodeBase32(made.secret)
  return { ...made, code: (offset = 0) => totpCode(secret, totpStep(clock.nowMs) + offset) }
}

/** Confirms an app by a code of it. */
export function confirmApp(browser: Browser, code: string): Promise<Response> {
  return browser.request('POST', '/operator/authenticator-app/confirmation', { code })
}

/** Sends the second factor of a sign-in. */
export function sendCode(browser: Browser, code: string): Promise<Response> {
  return browser.request('POST', '/operator/session/second-factor', { code })
}

/** Returns the bytes of a secret as people type it. */
export function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns a passkey of an operator, which no device has. */
export function passkeyOf(operatorId: string, name: string): PasskeyRow {
  return {
    id: randomUUID(),
    credential_id: randomUUID(),
    operator_id: operatorId,
    name,
    public_key: '',
    sign_count: 0,
    transports: '[]',
    created_at: 0,
    last_used_at: null,
  }
}
