import { Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { csvBody } from '../api/request.ts'
import { notify } from '../components/feedback.tsx'
import { ListImport } from '../components/list-import.tsx'
import { operatorListRunnersOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorReplaceRunners } from '../generated/sdk.gen.ts'
import { useFormat } from '../i18n/format.ts'

type StartListImportProps = {
  eventId: string
  /** Number of runners that will be replaced. */
  current: number
  onDone(): void
  onCancel: (() => void) | undefined
}

const EXAMPLE = 'bib,name,category,user_id\n117,Anna Martin,F40,anna@example.org\n118,Ben Dubois,M,ben@example.org'

/** Takes a start list as CSV, pasted or as a file, shows how it is read, and names each wrong line. */
export function StartListImport({ eventId, current, onDone, onCancel }: StartListImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const path = { id: eventId }
  return (
    <ListImport
      title={<Title order={2}>{t(current === 0 ? 'race.noList' : 'race.replaceList')}</Title>}
      help={t('race.noListHelp')}
      label={t('race.csv')}
      description={t('race.csvHelp')}
      example={EXAMPLE}
      check={async (csv) => (await operatorReplaceRunners({ path, query: { check: 'true' }, ...csvBody(csv) })).runners}
      store={(csv) => operatorReplaceRunners({ path, ...csvBody(csv) })}
      onStored={async (stored) => {
        const { length } = stored.runners
        client.setQueryData(operatorListRunnersOptions({ path }).queryKey, stored)
        notify(t('race.listStored', { count: length, figure: String(length) }))
        onDone()
        await client.invalidateQueries(raceAnswers(eventId))
      }}
      storeLabel={t(current === 0 ? 'race.storeList' : 'race.replaceListNow')}
      onCancel={onCancel}
      summary={(runners) => {
        const categories = new Set(runners.flatMap(({ category }) => category ?? []))
        return (
          <>
            {t('race.preview', {
              runners: t('race.runners', { count: runners.length, figure: format.count(runners.length) }),
              categories: t('race.categories', { count: categories.size, figure: format.count(categories.size) }),
            })}{' '}
            {current > 0 && t('race.previewReplaces', { count: current, figure: format.count(current) })}
          </>
        )
      }}
      previewLabel={t('race.previewLabel')}
      columns={[
        { head: t('race.bib'), cell: ({ bib }) => bib },
        { head: t('field.name'), cell: ({ name }) => name },
        { head: t('race.category'), cell: ({ category }) => category ?? '–' },
        { head: t('tracks.user'), cell: ({ user_id }) => user_id },
      ]}
      personId={({ user_id }) => user_id}
    />
  )
}
