import Type, { type Static } from 'typebox'

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
