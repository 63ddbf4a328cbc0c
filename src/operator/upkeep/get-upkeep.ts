import type { HttpServer } from '#platform/http/http-server.ts'
import { isBackupOverdue } from '#platform/inspection/check-stored-data.ts'
import type { InspectionStore } from '#platform/inspection/inspection-store.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { ServiceUpkeep } from '#platform/upkeep/upkeep-clock.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import { Upkeep } from './upkeep-schemas.ts'

type Deps = {
  upkeeps: readonly ServiceUpkeep[]
  inspection: { store: Pick<InspectionStore, 'backedUpMs'> }
  operators: Pick<OperatorsStore, 'list'>
  now: () => number
}

/** GET /operator/upkeep */
export function getUpkeep(app: HttpServer, { upkeeps, inspection, operators, now }: Deps) {
  app.get(
    '/operator/upkeep',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
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
      held: upkeeps
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
