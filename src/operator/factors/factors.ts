import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { deriveKeys, type Keys, type Secrets } from '#platform/basics/secrets.ts'
import { openToken, sealToken } from '#platform/credentials/token.ts'
import { appIsConfirmed, appSetUpEnded, noSecondFactor, wrongAppCode } from '../model/errors.ts'
import {
  createFactorsStore,
  type FactorSummary,
  type FactorsStore,
  type FactorUse,
  hasFactor,
} from '../model/factors-store.ts'
import { createRequiredFactor, type LocalCredentials, type ProviderAccounts } from '../model/provider-accounts.ts'
import type { OperatorTables } from '../model/tables.ts'
import { TOTP_SECRETS } from '../model/tables.ts'
import { createSealedCookie } from '../sessions/cookies.ts'
import {
  isTotpCode,
  matchTotp,
  newRecoveryCodes,
  recoveryCodeHash,
  TOTP_SECRET_BYTES,
  totpAddress,
  totpSecretText,
} from './one-time-codes.ts'
import { createPasskeyCeremonies, createPasskeys, PASSKEY_LIFETIME_MS, type PasskeyChallenge } from './passkeys.ts'
import { createPasskeysStore } from './passkeys-store.ts'

/** Time for scanning the code and typing the first one. */
export const SET_UP_LIFETIME_MS = 3_600_000

/** A kind of factor that can follow a right password. */
export type FactorKind = 'authenticator_app' | 'passkey' | 'recovery_code'

/** An app to be set up: the secret to type, and the address in the QR code. Shown once. */
type AppSetUp = { secret: string; address: string }

export type SecondFactors = ReturnType<typeof createSecondFactors>

type Deps = { factors: FactorsStore; sealingKeys: Keys; now: () => number }

function createSecondFactors({ factors, sealingKeys, now }: Deps) {
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
    /** Returns the second factors of an operator; nothing if a password is enough. */
    kindsOf: async (operatorId: string): Promise<FactorKind[]> => kindsIn(await factors.summary(operatorId)),

    /**
     * Checks a code of the app, or a recovery code. Returns its use, which is yet to be stored; undefined for a wrong
     * one.
     */
    async match(operatorId: string, code: string): Promise<FactorUse | undefined> {
      const typed = code.replace(/\s/g, '')
      if (isTotpCode(typed)) return await matchApp(operatorId, typed)
      const codeSha256 = recoveryCodeHash(operatorId, typed)
      return codeSha256 === undefined ? undefined : { kind: 'recovery code', codeSha256 }
    },

    /** Begins to set up an app. `account` is the name that the app shows. @throws appIsConfirmed */
    async startApp(operatorId: string, account: string): Promise<AppSetUp> {
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

    /**
     * Confirms the app by a code of it. Returns the recovery codes if it is the operator's first factor.
     * @throws wrongAppCode, or appSetUpEnded
     */
    async confirmApp(operatorId: string, code: string): Promise<string[] | null> {
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

    /** Replaces the recovery codes. @throws noSecondFactor */
    async replaceRecoveryCodes(operatorId: string): Promise<string[]> {
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

type Options = {
  isFactorRequired: boolean
  providerAccounts: ProviderAccounts
  localCredentials: LocalCredentials
  secrets: Secrets
  baseUrl: () => string
  now: () => number
}

/** Builds second factors and passkeys on the operators' database. */
export function buildFactors(options: Options, db: Kysely<OperatorTables>) {
  const { isFactorRequired, providerAccounts, localCredentials, secrets, baseUrl, now } = options
  const factors = createFactorsStore(db)
  const passkeysStore = createPasskeysStore(db, providerAccounts)
  return {
    factors,
    requiredFactor: createRequiredFactor(db, isFactorRequired, localCredentials),
    passkeysStore,
    secondFactors: createSecondFactors({ factors, sealingKeys: deriveKeys(secrets, TOTP_SECRETS), now }),
    passkeys: createPasskeys({ passkeysStore, ceremonies: createPasskeyCeremonies(baseUrl), now }),
    passkeyCookie: createSealedCookie<PasskeyChallenge>('trackpress_passkey', {
      secrets,
      baseUrl,
      now,
      lifetimeMs: PASSKEY_LIFETIME_MS,
    }),
  }
}

/** Parts that the routes of an operator's own factors are built from. */
export type FactorDeps = ReturnType<typeof buildFactors> & {
  localCredentials: LocalCredentials
  baseUrl: () => string
  logger: Logger
}
