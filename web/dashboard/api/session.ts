import { queryOptions } from '@tanstack/react-query'
import { getSessionQueryKey, getSignInMethodsOptions } from '../generated/@tanstack/react-query.gen.ts'
import {
  checkSignInLink,
  confirmSession,
  confirmWithProviderAddress,
  createConfirmationOptions,
  createPasskeyOptions,
  getSession,
  signInWithPasskeyOptions,
  signInWithProviderAddress,
  signInWithPasskey as signInWithResponse,
  createPasskey as storePasskey,
} from '../generated/sdk.gen.ts'
import type { PasskeyCreated, Session, SessionConfirmed } from '../generated/types.gen.ts'
import { hasStatus } from './api-error.ts'

/** The signed-in operator's session; null when signed out. */
export const sessionQuery = queryOptions<Session | null, Error, Session | null, ReturnType<typeof getSessionQueryKey>>({
  queryKey: getSessionQueryKey(),
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    try {
      return await getSession({ signal })
    } catch (error) {
      if (hasStatus(error, 401)) return null
      throw error
    }
  },
})

/** The operator whose sign-in link it is. A used, expired or unknown link is a 410. */
export function signInLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['sign-in-link', token],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => checkSignInLink({ body: { token }, signal }),
  })
}

/** The ways to sign in. */
export const signInMethodsQuery = queryOptions({ ...getSignInMethodsOptions(), staleTime: Number.POSITIVE_INFINITY })

/**
 * A visit to the identity provider: to sign in, and then return to a page, by its address below that of the dashboard;
 * or to confirm, in a tab of its own.
 */
export type ProviderVisit = { purpose: 'sign in'; back: string } | { purpose: 'confirm' }

const KEY = 'trackpress-provider'

/**
 * Notes the visit for the page that the provider sends the browser back to, and returns the address at the provider.
 */
export async function beginProviderVisit(visit: ProviderVisit): Promise<string> {
  const { url } = await (visit.purpose === 'confirm' ? confirmWithProviderAddress() : signInWithProviderAddress())
  sessionStorage.setItem(KEY, JSON.stringify(visit))
  return url
}

/** Returns the visit that this tab began; a sign-in without one. */
export function lastProviderVisit(): ProviderVisit {
  const noted = sessionStorage.getItem(KEY)
  return noted === null ? { purpose: 'sign in', back: '/' } : (JSON.parse(noted) as ProviderVisit)
}

/** Creates a passkey with the browser. Throws an error named as those of the browser if it creates none. */
export async function createPasskey(name: string): Promise<PasskeyCreated> {
  const { options } = await createPasskeyOptions()
  const { startRegistration } = await library()
  const response = await startRegistration({ optionsJSON: options as never })
  return await storePasskey({ body: { name, response: response as never } })
}

/** Signs in with a passkey, alone or after a right password. An unknown passkey is a 401. */
export async function signInWithPasskey(isSecondStep: boolean): Promise<Session> {
  const { options } = await signInWithPasskeyOptions({ body: { second_step: isSecondStep } })
  const { startAuthentication } = await library()
  const response = await startAuthentication({ optionsJSON: options as never })
  return await signInWithResponse({ body: { response: response as never } })
}

/** Confirms with a passkey that the operator is still the one who signed in. A passkey of somebody else is a 403. */
export async function confirmWithPasskey(): Promise<SessionConfirmed> {
  const { options } = await createConfirmationOptions()
  const { startAuthentication } = await library()
  const passkey = await startAuthentication({ optionsJSON: options as never })
  return await confirmSession({ body: { passkey: passkey as never } })
}

/** Loads the library when a passkey is used: the first page needs none of it. */
function library() {
  return import('@simplewebauthn/browser')
}
