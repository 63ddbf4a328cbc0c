import { randomUUID } from 'node:crypto'
import { tokenHash } from '#platform/tokens/token.ts'
import { challengeUsed, passkeyRefused } from '../errors.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../factors/recovery-codes.ts'
import type { FactorUse } from '../storage/factors-store.ts'
import type { PasskeysStore } from '../storage/passkeys-store.ts'
import type { PasskeyRow } from '../storage/tables.ts'
import { PASSKEY_LIFETIME_MS, type PasskeyCeremonies } from './passkey-ceremonies.ts'

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

export type Passkeys = {
  /** Asks an operator for a new passkey. @throws passkeysUnavailable */
  askForNew(operator: { id: string; name: string }): Promise<Asked>
  /**
   * Adds the passkey of an answer. Returns the recovery codes if it is the operator's first factor.
   * @throws challengeUsed, passkeyRefused, passkeyExists or tooManyPasskeys
   */
  add(
    operatorId: string,
    given: { name: string; response: object },
    challenge: PasskeyChallenge | undefined,
  ): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }>
  /** Asks for a passkey of an operator, or for that of anyone. @throws passkeysUnavailable */
  ask(purpose: 'sign in' | 'confirm', operatorId: string | null): Promise<Asked>
  /**
   * Checks an answer. Returns whose passkey it is, and its use, which is yet to be stored; undefined if it is not
   * valid.
   */
  match(
    response: { id: string },
    purpose: 'sign in' | 'confirm',
    challenge: PasskeyChallenge | undefined,
  ): Promise<{ operatorId: string; use: FactorUse } | undefined>
}

type Deps = { passkeysStore: PasskeysStore; ceremonies: PasskeyCeremonies; now: () => number }

export function createPasskeys({ passkeysStore, ceremonies, now }: Deps): Passkeys {
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
    async askForNew(operator) {
      const existing = await passkeysStore.list(operator.id)
      return asked(await ceremonies.registration(operator, existing), 'register', operator.id)
    },

    async add(operatorId, { name, response }, challenge) {
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

    async ask(purpose, operatorId) {
      const allowed = operatorId === null ? [] : await passkeysStore.list(operatorId)
      return asked(await ceremonies.authentication(allowed), purpose, operatorId)
    },

    async match(response, purpose, challenge) {
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
