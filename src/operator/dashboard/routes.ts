import Type, { type Static } from 'typebox'
import type { Logger } from '#platform/basics/logger.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { isBackupOverdue } from '#platform/doctor/check-stored-data.ts'
import type { Inspection } from '#platform/doctor/data-inspector.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import type { ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import type { OperatorsStore } from '../accounts/operators-store.ts'
import type { RequiredFactor } from '../model/provider-accounts.ts'
import { OperatorSettings } from '../model/schemas.ts'

const Held = Type.Object(
  {
    service: Type.String({ description: 'The service that deletes nothing by age.', examples: ['tracks'] }),
    last_upkeep_at: Type.String({
      description: 'Time of the last upkeep by the clock of then.',
      examples: ['2026-05-03T09:00:00.000Z'],
    }),
    clock: Type.String({
      description: 'Time of the upkeep that was held, by the clock of now.',
      examples: ['2036-05-03T09:00:00.000Z'],
    }),
    overdue: Type.Integer({
      description: 'Tracks, or records of the audit log, that would be deleted.',
      examples: [412],
    }),
  },
  { title: 'HeldDeletions', description: 'Deletions by age that wait until somebody says that the clock is right.' },
)

/** Deletions of all services that wait. */
export const Upkeep = Type.Object(
  {
    held: Type.Array(Held, { description: 'Services whose deletions wait.' }),
    backup: Type.Object(
      {
        last_success_at: Type.Union([Type.Null(), Type.String()], {
          description: 'Time of the last backup; null if there is none.',
          examples: ['2026-05-03T03:31:00.000Z'],
        }),
        is_overdue: Type.Boolean({ description: 'Whether there was none for two days.', examples: [false] }),
      },
      { title: 'BackupState', description: 'Backups by the admin command.' },
    ),
  },
  { title: 'Upkeep', description: 'State of the upkeep.' },
)
export type Upkeep = Static<typeof Upkeep>

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
