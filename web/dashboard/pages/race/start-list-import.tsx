import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { checkRunners, putRunners, type Runner, runnersQuery } from '../../api/races.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { CsvFileButton, CsvInput } from '../../forms/csv-input.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ListProblems } from '../../race/list-problems.tsx'

type StartListImportProps = {
  eventId: string
  /** Number of runners that will be replaced. */
  current: number
  onDone(): void
  onCancel: (() => void) | undefined
}

/** Rows of the preview: enough to see that the columns are right. */
const PREVIEW_ROWS = 8
/** Time after the last key until a list is checked. */
const SETTLED_MS = 400
const EXAMPLE = 'bib,name,category,user_id\n117,Anna Martin,F40,anna@example.org\n118,Ben Dubois,M,ben@example.org'

/** Takes a start list as CSV, pasted or as a file, shows how it is read, and names each wrong line. */
export function StartListImport({ eventId, current, onDone, onCancel }: StartListImportProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [csv, setCsv] = useState('')
  const [settled] = useDebouncedValue(csv, SETTLED_MS)
  const checked = useQuery({
    queryKey: [...queryKeys.runners(eventId), 'check', settled],
    queryFn: () => checkRunners(eventId, settled),
    enabled: settled.trim() !== '',
    retry: false,
    gcTime: 0,
  })
  const storing = useMutation({
    mutationFn: () => putRunners(eventId, csv),
    onSuccess: async (runners) => {
      client.setQueryData(runnersQuery(eventId).queryKey, runners)
      notify(t('race.listStored', { count: runners.length, figure: String(runners.length) }))
      onDone()
      await client.invalidateQueries({ queryKey: queryKeys.race(eventId) })
    },
  })
  const isReady = checked.isSuccess && settled === csv && csv.trim() !== ''
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Stack>
        <div>
          <Title order={2}>{t(current === 0 ? 'race.noList' : 'race.replaceList')}</Title>
          <Text c="dimmed" maw={720}>
            {t('race.noListHelp')}
          </Text>
        </div>
        <CsvInput
          label={t('race.csv')}
          description={t('race.csvHelp')}
          placeholder={EXAMPLE}
          value={csv}
          onChange={setCsv}
        />
        <Group justify="space-between">
          <CsvFileButton onChange={setCsv} />
          <Group>
            {onCancel !== undefined && (
              <Button variant="default" onClick={onCancel}>
                {t('action.cancel')}
              </Button>
            )}
            <Button disabled={!isReady} loading={storing.isPending} onClick={() => storing.mutate()}>
              {t(current === 0 ? 'race.storeList' : 'race.replaceListNow')}
            </Button>
          </Group>
        </Group>
        <div role="status">
          {checked.isError && <ListProblems error={checked.error} csv={settled} />}
          {checked.isSuccess && csv.trim() !== '' && <Preview runners={checked.data} current={current} />}
        </div>
        {storing.isError && <Failure error={storing.error} />}
      </Stack>
    </Paper>
  )
}

function Preview({ runners, current }: { runners: readonly Runner[]; current: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const categories = new Set(runners.flatMap(({ category }) => category ?? []))
  const heads = [t('race.bib'), t('field.name'), t('race.category'), t('tracks.user')]
  return (
    <Stack gap="xs">
      <Text>
        {t('race.preview', {
          runners: t('race.runners', { count: runners.length, figure: format.count(runners.length) }),
          categories: t('race.categories', { count: categories.size, figure: format.count(categories.size) }),
        })}{' '}
        {current > 0 && t('race.previewReplaces', { count: current, figure: format.count(current) })}
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t('race.previewLabel')}>
          <Table.Thead>
            <Table.Tr>
              {heads.map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runners.slice(0, PREVIEW_ROWS).map(({ bib, name, category, user_id }) => (
              <Table.Tr key={user_id}>
                <Table.Td>{bib}</Table.Td>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{category ?? '–'}</Table.Td>
                <Table.Td>{user_id}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
