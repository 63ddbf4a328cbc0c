import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { tokenHash } from '#platform/credentials/token.ts'
import { challengeUsed, passkeyRefused, passkeysUnavailable } from '../model/errors.ts'
import type { FactorUse } from '../model/factors-store.ts'
import type { PasskeyRow } from '../model/tables.ts'
import { newRecoveryCodes, recoveryCodeHash } from './one-time-codes.ts'
import type { PasskeysStore } from './passkeys-store.ts'

/** A challenge that a browser was given, as its sealed cookie keeps it. */
export type PasskeyChallenge = {
  challenge: string
  purpose: 'register' | 'sign in' | 'confirm'
  /** The operator who has to answer; null if it may be anyone. */
  operatorId: string | null
  expiresAtMs: number
}

/** Options for the browser, and the challenge in them. */
type Asked = { options: object; challenge: PasskeyChallenge }

export type Passkeys = ReturnType<typeof createPasskeys>

type Deps = { passkeysStore: PasskeysStore; ceremonies: PasskeyCeremonies; now: () => number }

export function createPasskeys({ passkeysStore, ceremonies, now }: Deps) {
  function asked(
    options: { challenge: string },
    purpose: PasskeyChallenge['purpose'],
    operatorId: string | null,
  ): Asked {
    return {
      options,
      challenge: { challenge: options.challenge, purpose, operatorId, expiresAtMs: now() + PASSKEY_LIFETIME_MS },
    }
  }

  return {
    /** Asks an operator for a new passkey. @throws passkeysUnavailable */
    async askForNew(operator: { id: string; name: string }): Promise<Asked> {
      const existing = await passkeysStore.list(operator.id)
      return asked(await ceremonies.registration(operator, existing), 'register', operator.id)
    },

    /**
     * Adds the passkey of an answer. Returns the recovery codes if it is the operator's first factor.
     * @throws challengeUsed, passkeyRefused, passkeyExists or tooManyPasskeys
     */
    async add(
      operatorId: string,
      { name, response }: { name: string; response: object },
      challenge: PasskeyChallenge | undefined,
    ): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }> {
      if (challenge?.purpose !== 'register' || challenge.operatorId !== operatorId) throw challengeUsed()
      const made = await ceremonies.checkRegistration(response, challenge.challenge)
      if (made === undefined) throw passkeyRefused()
      const passkey: PasskeyRow = {
        id: randomUUID(),
        operator_id: operatorId,
        name,
        created_at: now(),
        last_used_at: null,
        ...made,
      }
      const codes = newRecoveryCodes()
      const hashes = codes.map((code) => recoveryCodeHash(operatorId, code)!)
      const { codesAreStored } = await passkeysStore.add(passkey, spent(challenge), hashes)
      return { passkey, recoveryCodes: codesAreStored ? codes : null }
    },

    /**
     * Asks for a passkey, of one operator or of anyone.
     * @throws passkeysUnavailable
     */
    async ask(purpose: 'sign in' | 'confirm', operatorId: string | null): Promise<Asked> {
      const allowed = operatorId === null ? [] : await passkeysStore.list(operatorId)
      return asked(await ceremonies.authentication(allowed), purpose, operatorId)
    },

    /**
     * Checks an answer. Returns whose passkey it is, and its use, which is yet to be stored; undefined if it is not
     * valid.
     */
    async match(
      response: { id: string },
      purpose: 'sign in' | 'confirm',
      challenge: PasskeyChallenge | undefined,
    ): Promise<{ operatorId: string; use: FactorUse } | undefined> {
      if (challenge?.purpose !== purpose) return undefined
      const passkey = await passkeysStore.findByCredential(response.id)
      if (passkey === undefined) return undefined
      if (challenge.operatorId !== null && challenge.operatorId !== passkey.operator_id) return undefined
      const signCount = await ceremonies.checkAuthentication(response, challenge.challenge, passkey)
      if (signCount === undefined) return undefined
      const use: FactorUse = { kind: 'passkey', id: passkey.id, signCount, nowMs: now(), ...spent(challenge) }
      return { operatorId: passkey.operator_id, use }
    },
  }
}

function spent({ challenge, expiresAtMs }: PasskeyChallenge) {
  return { challengeSha256: tokenHash(challenge), expiresAtMs }
}

/** Time for finding the device, and for its own question. */
export const PASSKEY_LIFETIME_MS = 600_000

/** EdDSA, ECDSA and RSA, which together all devices have (COSE numbers, in the order of preference). */
const ALGORITHMS = [-8, -7, -257]

/** A new passkey, as the browser has proved it. */
type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports'>

/** Requests for passkeys to browsers and their devices, and checks of the answers (Web Authentication, level 3). */
type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>

/**
 * Creates the ceremonies. Every passkey is found by the device itself and asks who uses it, by finger, face or
 * PIN, so that each is two factors in one.
 */
export function createPasskeyCeremonies(baseUrl: () => string) {
  function requireSite(): PasskeySite {
    const site = passkeySite(baseUrl())
    if (site === undefined) throw passkeysUnavailable()
    return site
  }

  return {
    /** Asks for a new passkey. @throws passkeysUnavailable */
    async registration(
      { id, name }: { id: string; name: string },
      existing: readonly PasskeyRow[],
    ): Promise<PublicKeyCredentialCreationOptionsJSON> {
      const { rpId } = requireSite()
      const { generateRegistrationOptions } = await library()
      return await generateRegistrationOptions({
        rpName: 'Trackpress',
        rpID: rpId,
        userName: name,
        userDisplayName: name,
        userID: new TextEncoder().encode(id),
        attestationType: 'none',
        excludeCredentials: existing.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
        timeout: PASSKEY_LIFETIME_MS,
      })
    },

    /** Returns the new passkey; undefined for an answer that is not valid. */
    async checkRegistration(response: object, challenge: string): Promise<NewPasskey | undefined> {
      const { rpId, origin } = requireSite()
      const { verifyRegistrationResponse } = await library()
      const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId }
      const { registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        ...expected,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      }).catch(invalid)
      if (registrationInfo === undefined) return undefined
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return {
        credential_id: id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        sign_count: counter,
        transports: JSON.stringify(transports),
      }
    },

    /** Asks for one of these passkeys, or for any that the device has for this server. @throws passkeysUnavailable */
    async authentication(allowed: readonly PasskeyRow[]): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { rpId } = requireSite()
      const { generateAuthenticationOptions } = await library()
      return await generateAuthenticationOptions({
        rpID: rpId,
        allowCredentials: allowed.map(descriptorOf),
        userVerification: 'required',
        timeout: PASSKEY_LIFETIME_MS,
      })
    },

    /** Returns the new count of uses; undefined for an answer that is not valid. */
    async checkAuthentication(response: object, challenge: string, passkey: PasskeyRow): Promise<number | undefined> {
      const { rpId, origin } = requireSite()
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: {
          id: passkey.credential_id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.sign_count,
        },
        requireUserVerification: true,
      }).catch(invalid)
      return verified === true ? authenticationInfo?.newCounter : undefined
    },
  }
}

/** Loads the library when a passkey is first used: it takes some 10 MB, and most installations may have none. */
function library() {
  return import('@simplewebauthn/server')
}

/** The library throws for every answer that is not valid, with words for developers. */
function invalid(): { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined } {
  return { verified: false }
}

function descriptorOf({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id, transports: JSON.parse(transports) as string[] }
}

/** The site that passkeys are bound to: browsers offer them there and nowhere else. */
type PasskeySite = { rpId: string; origin: string }

/**
 * Returns the site of an address; undefined for one at which browsers have no passkeys: they require TLS, except on
 * this machine, and a host name (Web Authentication, 5.1.2).
 */
export function passkeySite(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isHere)) return undefined
  return { rpId: hostname, origin }
}
