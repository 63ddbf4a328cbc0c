import { randomBytes } from 'node:crypto'
import type { Keys } from '#platform/security/secret.ts'
import { openToken, sealToken } from '#platform/tokens/token.ts'
import { appIsConfirmed, appSetUpEnded, noSecondFactor, wrongAppCode } from '../errors.ts'
import { type FactorSummary, type FactorsStore, type FactorUse, hasFactor } from '../storage/factors-store.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { isTotpCode, matchTotp, TOTP_SECRET_BYTES, totpAddress, totpSecretText } from './totp.ts'

/** Time for scanning the code and typing the first one. */
export const SET_UP_LIFETIME_MS = 3_600_000

/** A kind of factor that can follow a right password. */
export type FactorKind = 'authenticator_app' | 'passkey' | 'recovery_code'

/** An app to be set up: the secret to type, and the address in the QR code. Shown once. */
type AppSetUp = { secret: string; address: string }

export type SecondFactors = {
  /** Returns what an operator can use; nothing if a password is enough. */
  kindsOf(operatorId: string): Promise<FactorKind[]>
  /**
   * Checks a code of the app, or a recovery code. Returns its use, which is yet to be stored; undefined for a wrong
   * one.
   */
  match(operatorId: string, code: string): Promise<FactorUse | undefined>
  /** Begins to set up an app. `account` is the name that the app shows. @throws appIsConfirmed */
  startApp(operatorId: string, account: string): Promise<AppSetUp>
  /**
   * Confirms the app by a code of it. Returns the recovery codes if it is the operator's first factor.
   * @throws wrongAppCode, or appSetUpEnded
   */
  confirmApp(operatorId: string, code: string): Promise<string[] | null>
  /** Replaces the recovery codes. @throws noSecondFactor */
  replaceRecoveryCodes(operatorId: string): Promise<string[]>
}

type Deps = { factors: FactorsStore; sealingKeys: Keys; now: () => number }

export function createSecondFactors({ factors, sealingKeys, now }: Deps): SecondFactors {
  const hashesOf = (operatorId: string, codes: readonly string[]) =>
    codes.map((code) => recoveryCodeHash(operatorId, code)!)

  async function matchApp(operatorId: string, code: string): Promise<FactorUse | undefined> {
    const app = await factors.findTotp(operatorId)
    const secret = app?.confirmed_at == null ? undefined : openSecret(app.secret)
    const step = secret && matchTotp(secret, code, now(), app!.used_step)
    return step === undefined ? undefined : { kind: 'totp', step }
  }

  /** Opens a stored secret; undefined if no secret of the installation sealed it. */
  function openSecret(sealed: Uint8Array): Buffer | undefined {
    const text = openToken(sealed, sealingKeys)
    return text === undefined ? undefined : Buffer.from(text, 'base64')
  }

  return {
    kindsOf: async (operatorId) => kindsIn(await factors.summary(operatorId)),

    async match(operatorId, code) {
      const typed = code.replace(/\s/g, '')
      if (isTotpCode(typed)) return await matchApp(operatorId, typed)
      const codeSha256 = recoveryCodeHash(operatorId, typed)
      return codeSha256 === undefined ? undefined : { kind: 'recovery code', codeSha256 }
    },

    async startApp(operatorId, account) {
      const secret = randomBytes(TOTP_SECRET_BYTES)
      const isStarted = await factors.startTotp({
        operator_id: operatorId,
        secret: sealToken(secret.toString('base64'), sealingKeys),
        created_at: now(),
        confirmed_at: null,
        used_step: 0,
      })
      if (!isStarted) throw appIsConfirmed()
      return { secret: totpSecretText(secret), address: totpAddress(secret, account) }
    },

    async confirmApp(operatorId, code) {
      const app = await factors.findTotp(operatorId)
      if (app === undefined || app.confirmed_at !== null || app.created_at <= now() - SET_UP_LIFETIME_MS)
        throw appSetUpEnded()
      const secret = openSecret(app.secret)
      if (secret === undefined) throw appSetUpEnded()
      const step = matchTotp(secret, code.replace(/\s/g, ''), now(), app.used_step)
      if (step === undefined) throw wrongAppCode()
      const codes = newRecoveryCodes()
      const confirmed = await factors.confirmTotp(app, { step, nowMs: now() }, hashesOf(operatorId, codes))
      if (confirmed === undefined) throw appSetUpEnded()
      return confirmed.codesAreStored ? codes : null
    },

    async replaceRecoveryCodes(operatorId) {
      const codes = newRecoveryCodes()
      if (!(await factors.replaceRecoveryCodes(operatorId, hashesOf(operatorId, codes), now()))) throw noSecondFactor()
      return codes
    },
  }
}

function kindsIn(summary: FactorSummary): FactorKind[] {
  if (!hasFactor(summary)) return []
  return [
    ...(summary.appSinceMs === undefined ? [] : ['authenticator_app' as const]),
    ...(summary.passkeys === 0 ? [] : ['passkey' as const]),
    ...(summary.recoveryCodesLeft === 0 ? [] : ['recovery_code' as const]),
  ]
}
