import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { csvBody } from '../api/request.ts'
import { Dialog } from '../components/dialogs.tsx'
import { notify } from '../components/feedback.tsx'
import { ListImport } from '../components/list-import.tsx'
import { operatorImportTimes } from '../generated/sdk.gen.ts'
import type { Ranking } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

const EXAMPLE = 'bib,checkpoint,time\n117,Finish,4:12:31.5\n118,Finish,2026-05-03T13:02:10+02:00'

type TimesImportProps = { eventId: string; ranking: Ranking; onClose(): void }

/** Takes times of a timing system as CSV, shows how they are read, and names each wrong line. */
export function TimesImport({ eventId, ranking, onClose }: TimesImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const path = { id: eventId }
  const nameOf = (id: string) => ranking.checkpoints.find((one) => one.id === id)?.name ?? '–'
  const timesOf = (count: number) => t('race.timesCount', { count, figure: format.count(count) })
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('race.importTimes')}>
      <ListImport
        title={null}
        help={t('race.importTimesHelp')}
        label={t('race.timesCsv')}
        description={t('race.timesCsvHelp')}
        example={EXAMPLE}
        check={async (csv) => {
          const { times } = await operatorImportTimes({ path, query: { check: 'true' }, ...csvBody(csv) })
          return { people: times }
        }}
        store={(csv) => operatorImportTimes({ path, ...csvBody(csv) })}
        onStored={async ({ times }) => {
          notify(t('race.timesStored', { times: timesOf(times.length) }))
          onClose()
          await client.invalidateQueries(raceAnswers(eventId))
        }}
        storeLabel={t('race.importTimes')}
        onCancel={onClose}
        summary={(times) => timesOf(times.length)}
        previewLabel={t('race.timesCsv')}
        columns={[
          { head: t('race.bib'), cell: ({ bib }) => bib },
          { head: t('race.checkpoint'), cell: ({ checkpoint_id }) => nameOf(checkpoint_id) },
          { head: t('race.time'), cell: ({ time }) => format.time(time) },
        ]}
        personId={({ bib, checkpoint_id, time }) => `${bib} ${checkpoint_id} ${time}`}
      />
    </Dialog>
  )
}
