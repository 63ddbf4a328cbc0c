import { Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runnerName } from '../../../src/tracks/model/runner-names.ts'
import { EmptyState, useFocusAfter } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useRights } from '../access/rights.tsx'
import { raceAnswers } from '../api/query-client.ts'
import { csvBody } from '../api/request.ts'
import { Loaded, notify } from '../components/feedback.tsx'
import { ListImport } from '../components/list-import.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorListRunnersOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorReplaceRunners } from '../generated/sdk.gen.ts'
import type { Runner } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { Participants } from './participants-table.tsx'

/** The start list of an event: the participants with their phones for editors, and the way to the first list. */
export function StartListPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const runners = useQuery({
    ...operatorListRunnersOptions({ path: { id: eventId } }),
    select: ({ runners }) => runners,
  })
  return <Loaded query={runners}>{(found) => <StartList eventId={eventId} runners={found} />}</Loaded>
}

function StartList({ eventId, runners }: { eventId: string; runners: Runner[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const [isImporting, setImporting] = useState(false)
  useFocusAfter(runners.length === 0 || isImporting ? 'import' : 'list')
  if (runners.length === 0 && !canEdit) {
    return (
      <EmptyState icon={Users} title={t('race.noList')}>
        {t('access.noStartList')}
      </EmptyState>
    )
  }
  if (runners.length === 0 || isImporting) {
    return (
      <StartListImport
        eventId={eventId}
        current={runners}
        onDone={() => setImporting(false)}
        onCancel={runners.length === 0 ? undefined : () => setImporting(false)}
      />
    )
  }
  if (canEdit) return <Participants eventId={eventId} onReplace={() => setImporting(true)} />
  return (
    <Stack>
      <div>
        <Title order={2}>{t('race.startList')}</Title>
        <Text c="dimmed">{t('race.runners', { count: runners.length, figure: format.count(runners.length) })}</Text>
      </div>
      <VirtualTable
        label={t('race.startList')}
        columns={[
          { id: 'bib', head: t('race.bib'), cell: ({ bib }) => bib },
          { id: 'name', head: t('field.name'), cell: ({ name }) => name },
          { id: 'category', head: t('race.category'), cell: ({ category }) => category ?? '–' },
          { id: 'user', head: t('tracks.user'), cell: ({ user_id }) => user_id },
          { id: 'status', head: t('race.status'), cell: ({ status }) => t(`race.status.${status ?? 'none'}`) },
        ]}
        rows={runners}
        rowId={({ user_id }) => user_id}
        heightPx="min(70dvh, 900px)"
        minWidthPx={620}
      />
    </Stack>
  )
}

type StartListImportProps = {
  eventId: string
  /** The runners that will be replaced. */
  current: readonly Runner[]
  onDone(): void
  onCancel: (() => void) | undefined
}

/** Takes a start list as CSV, pasted or as a file, shows how it is read, and names each wrong line. */
function StartListImport({ eventId, current, onDone, onCancel }: StartListImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const path = { id: eventId }
  return (
    <ListImport
      title={<Title order={2}>{t(current.length === 0 ? 'race.noList' : 'race.replaceList')}</Title>}
      help={t('race.noListHelp')}
      label={t('race.csv')}
      description={t('race.csvHelp')}
      example={t('race.csvExample')}
      check={async (csv) => {
        const checked = await operatorReplaceRunners({ path, query: { check: 'true' }, ...csvBody(csv) })
        return { people: checked.runners, ignored: checked.ignored_columns }
      }}
      store={(csv) => operatorReplaceRunners({ path, ...csvBody(csv) })}
      onStored={async (stored) => {
        const { length } = stored.runners
        client.setQueryData(operatorListRunnersOptions({ path }).queryKey, stored)
        notify(t('race.listStored', { count: length, figure: String(length) }))
        onDone()
        await client.invalidateQueries(raceAnswers(eventId))
      }}
      storeLabel={t(current.length === 0 ? 'race.storeList' : 'race.replaceListNow')}
      onCancel={onCancel}
      summary={(runners) => {
        const categories = new Set(runners.flatMap(({ category }) => category ?? []))
        return (
          <>
            {t('race.preview', {
              runners: t('race.runners', { count: runners.length, figure: format.count(runners.length) }),
              categories: t('race.categories', { count: categories.size, figure: format.count(categories.size) }),
            })}{' '}
            {current.length > 0 && <Changes {...changesOf(current, runners)} />}
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

type Changed = { added: readonly Runner[]; changed: readonly Runner[]; removed: readonly Runner[] }

/** Names that are told of each kind of change: the list itself is below them. */
const MAX_NAMED = 12

/** Says who is added, changed and removed by a list. */
function Changes({ added, changed, removed }: Changed) {
  const { t } = useTranslation()
  const format = useFormat()
  const kinds = [
    ['race.previewAdded', added],
    ['race.previewChanged', changed],
    ['race.previewRemoved', removed],
  ] as const
  if (kinds.every(([, runners]) => runners.length === 0)) return t('race.previewSame')
  return kinds
    .filter(([, runners]) => runners.length > 0)
    .map(([key, runners]) => {
      const named = runners.slice(0, MAX_NAMED).map(runnerName).join(', ')
      const names = runners.length > MAX_NAMED ? `${named}, …` : named
      return t(key, { count: runners.length, figure: format.count(runners.length), names })
    })
    .join(' ')
}

/** Returns the changes by a list, by the bibs. */
function changesOf(current: readonly Runner[], listed: readonly Runner[]): Changed {
  const before = new Map(current.map((runner) => [runner.bib, runner]))
  const bibs = new Set(listed.map(({ bib }) => bib))
  const isChanged = ({ bib, name, category, user_id }: Runner) => {
    const known = before.get(bib)
    return known !== undefined && (known.name !== name || known.category !== category || known.user_id !== user_id)
  }
  return {
    added: listed.filter(({ bib }) => !before.has(bib)),
    changed: listed.filter(isChanged),
    removed: current.filter(({ bib }) => !bibs.has(bib)),
  }
}
