import { useSyncExternalStore } from 'react'
import type { GetSessionData, Session } from '../generated/types.gen.ts'
import { ApiError, hasCode } from './api-error.ts'

/** A request that waits until the operator has confirmed. */
type Waiting = { resolve(): void; reject(): void }

const CHANNEL = 'trackpress-confirmation'
/** Time that a confirmation must last, so that it has not ended when the download begins. */
const MARGIN_MS = 10_000

const SESSION: GetSessionData['url'] = '/operator/session'

const waiting = new Set<Waiting>()
const listeners = new Set<() => void>()
let isHeld = false

/** Checks whether the server wants the operator to confirm before it does what was asked. */
export function asksForConfirmation(error: unknown): boolean {
  return hasCode(error, 'CONFIRMATION_REQUIRED')
}

/**
 * Waits until the operator has confirmed. Several requests wait for one confirmation. Throws `error` if the operator
 * does not confirm, or if the page has no dialog to do so; and the reason of the signal if it aborts.
 */
export function waitForConfirmation(error: unknown, signal: AbortSignal | undefined): Promise<void> {
  if (!isHeld) return Promise.reject(error)
  return new Promise<void>((resolve, reject) => {
    const request = { resolve, reject: () => reject(error) }
    waiting.add(request)
    signal?.addEventListener('abort', () => {
      waiting.delete(request)
      reject(signal.reason)
      announce()
    })
    announce()
  })
}

/** Lets the waiting requests go on, or fail. */
export function settleConfirmation(isConfirmed: boolean): void {
  const requests = [...waiting]
  waiting.clear()
  for (const { resolve, reject } of requests) isConfirmed ? resolve() : reject()
  announce()
}

/**
 * Declares that there is a dialog to confirm with. A confirmation in another tab lets the requests of this one go on,
 * too, because it is one of the session. Returns the function that takes the dialog back.
 */
export function holdConfirmationDialog(): () => void {
  isHeld = true
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.onmessage = () => settleConfirmation(true)
  return () => {
    isHeld = false
    tabs.close()
    settleConfirmation(false)
  }
}

/** Tells the other tabs of the dashboard that the operator has confirmed in this one. */
export function announceConfirmation(): void {
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.postMessage('confirmed')
  tabs.close()
}

/**
 * Downloads what the server hands out only after a recent confirmation. A download cannot wait for the dialog by
 * itself, as other requests do. Does nothing if the operator does not confirm.
 */
export async function downloadConfirmed(href: string): Promise<void> {
  try {
    if (await isConfirmationOver()) await waitForConfirmation(needed(), undefined)
  } catch {
    return
  }
  const link = Object.assign(document.createElement('a'), { href, download: '' })
  document.body.append(link)
  link.click()
  link.remove()
}

/** Compares with the clock of the server, because that of the browser may be wrong. */
async function isConfirmationOver(): Promise<boolean> {
  const response = await fetch(SESSION, {
    credentials: 'same-origin',
    headers: { Accept: 'application/json' },
  })
  if (!response.ok) return false
  const { confirmed_until } = (await response.json()) as Session
  const nowMs = Date.parse(response.headers.get('Date') ?? new Date().toISOString())
  return Date.parse(confirmed_until) < nowMs + MARGIN_MS
}

function needed(): ApiError {
  return new ApiError({ status: 403, code: 'CONFIRMATION_REQUIRED', detail: '' })
}

/** Returns whether requests wait for a confirmation. */
export function useConfirmationAsked(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.size > 0)
}

function announce(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
