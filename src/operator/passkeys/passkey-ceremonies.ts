import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { passkeysUnavailable } from '../errors.ts'
import type { PasskeyRow } from '../storage/tables.ts'
import { type PasskeySite, passkeySite } from './passkey-site.ts'

/** Time for finding the device, and for its own question. */
export const PASSKEY_LIFETIME_MS = 600_000

/** EdDSA, ECDSA and RSA, which together all devices have (COSE numbers, in the order of preference). */
const ALGORITHMS = [-8, -7, -257]

/** A new passkey, as the browser has proved it. */
type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports'>

/** Requests for passkeys to browsers and their devices, and checks of the answers (Web Authentication, level 3). */
export type PasskeyCeremonies = {
  /** Asks for a new passkey. @throws passkeysUnavailable */
  registration(
    operator: { id: string; name: string },
    existing: readonly PasskeyRow[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Returns the new passkey; undefined for an answer that is not valid. */
  checkRegistration(response: object, challenge: string): Promise<NewPasskey | undefined>
  /** Asks for one of these passkeys, or for any that the device has for this server. @throws passkeysUnavailable */
  authentication(allowed: readonly PasskeyRow[]): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Returns the new count of uses; undefined for an answer that is not valid. */
  checkAuthentication(response: object, challenge: string, passkey: PasskeyRow): Promise<number | undefined>
}

/**
 * Creates the ceremonies. Every passkey is found by the device itself and asks who uses it, by finger, face or
 * PIN, so that each is two factors in one.
 */
export function createPasskeyCeremonies(baseUrl: () => string): PasskeyCeremonies {
  function requireSite(): PasskeySite {
    const site = passkeySite(baseUrl())
    if (site === undefined) throw passkeysUnavailable()
    return site
  }

  return {
    async registration({ id, name }, existing) {
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

    async checkRegistration(response, challenge) {
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

    async authentication(allowed) {
      const { rpId } = requireSite()
      const { generateAuthenticationOptions } = await library()
      return await generateAuthenticationOptions({
        rpID: rpId,
        allowCredentials: allowed.map(descriptorOf),
        userVerification: 'required',
        timeout: PASSKEY_LIFETIME_MS,
      })
    },

    async checkAuthentication(response, challenge, passkey) {
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
