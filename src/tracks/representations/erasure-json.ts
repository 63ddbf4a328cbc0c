import type { ErasurePreview, ErasureReceipt, RemainingPlace } from '../schemas/erasures.ts'
import type { ErasedCounts } from '../storage/erasure/erased-counts.ts'
import type { ErasureRow } from '../storage/tables.ts'
import { momentOrNull } from './event-json.ts'

const REMAINS: Record<RemainingPlace, string> = {
  backups: 'Backups from before the erasure have the data until they are deleted.',
  upgrade_copies: 'Copies in DATA_DIR/before-upgrade have the data until later upgrades replace them.',
  database_log:
    'SQLite overwrites the data in its files with the next upkeep, within about an hour. PostgreSQL keeps it in dead rows until a vacuum, and in its write-ahead log until that is recycled or archived copies expire.',
  audit_log:
    'The audit log has the names and ids of what operators have changed, such as the title of a track or the name on a token, until its retention removes them.',
  proxy_logs: 'Access logs of a proxy may have addresses of tracks, and shares if they are not shortened.',
  webhook_receivers: 'Receivers of webhooks have what they were sent. They were told the ids of deleted tracks.',
  downloads: 'Exports, results and start lists that somebody has downloaded or printed are out of reach.',
}

/** Represents the data of a person that an erasure would remove. */
export function erasurePreviewJson({ tables, points, fromMs, untilMs, eventIds }: ErasedCounts): ErasurePreview {
  return {
    tracks: tables.tracks ?? 0,
    points,
    from: momentOrNull(fromMs),
    until: momentOrNull(untilMs),
    event_ids: [...eventIds],
    tables: Object.entries(tables).map(([table, rows]) => ({ table, rows })),
  }
}

/** Represents the receipt of an erasure, without the key of its mark. */
export function erasureReceiptJson(row: ErasureRow): ErasureReceipt {
  return {
    id: row.id,
    kind: row.kind,
    event_id: row.event_id,
    person: row.person_mac,
    requested_by: row.requested_by,
    started_at: momentOrNull(row.started_at)!,
    finished_at: momentOrNull(row.finished_at),
    erased: erasurePreviewJson(JSON.parse(row.erased) as ErasedCounts),
    remains: (Object.entries(REMAINS) as [RemainingPlace, string][]).map(([place, note]) => ({ place, note })),
  }
}
