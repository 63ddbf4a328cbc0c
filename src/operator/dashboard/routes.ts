import type { Logger } from '#platform/basics/logger.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { isBackupOverdue } from '#platform/doctor/check-stored-data.ts'
import type { Inspection } from '#platform/doctor/data-inspector.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import type { ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import type { OperatorsStore } from '../accounts/operators-store.ts'
import type { RequiredFactor } from '../model/provider-accounts.ts'
import { OperatorSettings } from '../model/schemas.ts'
import { Upkeep } from './schemas.ts'

type Deps = {
  baseUrl: () => string
  /** Returns the public address of published pages. */
  publicUrl: () => string
  /** Largest PDF that can be uploaded. */
  maxUploadBytes: number
  version: string
  /** The services that run in this process. */
  services: readonly string[]
  requiredFactor: RequiredFactor
  /** Reach of new accounts of the identity provider; null without a provider. */
  providerReach: 'everything' | 'nothing' | null
  maintenance: readonly ServiceMaintenance[]
  inspection: Inspection
  operators: OperatorsStore
  logger: Logger
  now: () => number
}

/** GET /operator/settings */
export function getSettings(app: HttpServer, deps: Deps) {
  const { baseUrl, publicUrl, maxUploadBytes, version, services, requiredFactor, providerReach } = deps
  app.get(
    '/operator/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Get the settings',
        description: 'Settings of the server that the dashboard needs.',
        tags: ['Operators'],
        response: { 200: OperatorSettings },
      },
    },
    async () => ({
      base_url: baseUrl(),
      public_url: publicUrl(),
      max_upload_bytes: maxUploadBytes,
      version,
      second_factor_required: requiredFactor.isRequired,
      new_accounts_reach: providerReach,
      services: [...services],
    }),
  )
}

/** GET /operator/upkeep */
export function getUpkeep(app: HttpServer, { maintenance, inspection, operators, now }: Deps) {
  app.get(
    '/operator/upkeep',
    {
      schema: {
        operationId: 'getUpkeep',
        summary: 'Get the upkeep',
        description:
          'Names the services that delete nothing by its age, because their clock passed over days, and tells the time of the last backup.',
        tags: ['Operators'],
        response: { 200: Upkeep },
      },
    },
    async () => ({
      backup: await backupState(),
      held: maintenance
        .flatMap(({ clock }) => clock.hold ?? [])
        .map(({ service, reachedMs, nowMs, overdueCount }) => ({
          service,
          last_upkeep_at: formatDateTime(reachedMs),
          clock: formatDateTime(nowMs),
          overdue: overdueCount,
        })),
    }),
  )

  async function backupState(): Promise<Upkeep['backup']> {
    const lastMs = await inspection.store.backedUpMs()
    // Before the first backup, the age of the installation counts, which its first operator has.
    const sinceMs = Math.min(now(), ...(await operators.list()).map(({ created_at }) => created_at))
    return {
      last_success_at: lastMs === null ? null : formatDateTime(lastMs),
      is_overdue: isBackupOverdue(lastMs, sinceMs, now()),
    }
  }
}

/** POST /operator/upkeep/confirm */
export function confirmClock(app: HttpServer, { maintenance, logger }: Deps) {
  app.post(
    '/operator/upkeep/confirm',
    {
      schema: {
        operationId: 'confirmClock',
        summary: 'Confirm the clock',
        description: 'Says that the clock of the server is right. What is too old is then deleted.',
        tags: ['Operators'],
        response: { 204: noContent('The deletions begin.') },
      },
    },
    async ({ operatorId }, reply) => {
      for (const { clock } of maintenance) await clock.confirm()
      logger.warn({ by: operatorId }, 'the clock was confirmed; what is too old is deleted')
      for (const { run } of maintenance) run()
      return reply.code(204).send()
    },
  )
}
