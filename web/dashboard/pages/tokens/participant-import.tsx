import { Badge, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CheckedParticipant, checkParticipants, createParticipantTokens } from '../../api/participants.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { PersonalLifetime } from '../../events/personal-lifetime.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { CsvFileButton, CsvInput } from '../../forms/csv-input.tsx'
import { tokenLifetime } from '../../forms/lifetime-select.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ListProblems } from '../../race/list-problems.tsx'

/** Rows of the preview: enough to see that the columns are right. */
const PREVIEW_ROWS = 6
/** Time after the last key until a list is checked. */
const SETTLED_MS = 400
const EXAMPLE = 'user_id,name\nanna@example.org,Anna Martin\nben@example.org,Ben Dubois'

type ParticipantImportProps = { eventId: string; onDone(): void; onCancel(): void }

/** Takes a list of participants as CSV, shows how it is read, and creates a token for everyone who has none. */
export function ParticipantImport({ eventId, onDone, onCancel }: ParticipantImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const [csv, setCsv] = useState('')
  const [lifetime, setLifetime] = useState('')
  const [settled] = useDebouncedValue(csv, SETTLED_MS)
  const checked = useQuery({
    queryKey: [...queryKeys.participantTokens(eventId), 'check', settled],
    queryFn: () => checkParticipants(eventId, settled),
    enabled: settled.trim() !== '',
    retry: false,
    gcTime: 0,
  })
  const creating = useMutation({
    mutationFn: () => createParticipantTokens(eventId, csv, tokenLifetime(lifetime)),
    onSuccess: async ({ tokens }) => {
      notify(t('participants.created', { count: tokens.length, figure: format.count(tokens.length) }))
      onDone()
      await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
    },
  })
  const missing = checked.data?.filter(({ has_token }) => !has_token).length ?? 0
  const isReady = checked.isSuccess && settled === csv && csv.trim() !== '' && missing > 0
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Stack>
        <div>
          <Title order={3} size="h4">
            {t('participants.add')}
          </Title>
          <Text c="dimmed" maw={720}>
            {t('participants.addHelp')}
          </Text>
        </div>
        <CsvInput
          label={t('participants.csv')}
          description={t('participants.csvHelp')}
          placeholder={EXAMPLE}
          value={csv}
          onChange={setCsv}
        />
        <Group>
          <CsvFileButton onChange={setCsv} />
        </Group>
        <div role="status">
          {checked.isError && <ListProblems error={checked.error} csv={settled} />}
          {checked.isSuccess && csv.trim() !== '' && <Preview participants={checked.data} missing={missing} />}
        </div>
        {creating.isError && <Failure error={creating.error} />}
        <Group justify="space-between" align="flex-end">
          <PersonalLifetime eventId={eventId} value={lifetime} onChange={setLifetime} />
          <Group>
            <Button variant="default" onClick={onCancel}>
              {t('action.cancel')}
            </Button>
            <Button disabled={!isReady} loading={creating.isPending} onClick={() => creating.mutate()}>
              {t('participants.create')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  )
}

/** Shows how a list was read, and who has a token already. */
function Preview({ participants, missing }: { participants: readonly CheckedParticipant[]; missing: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const known = participants.length - missing
  return (
    <Stack gap="xs">
      <Text>
        {t('participants.preview', { count: missing, figure: format.count(missing) })}{' '}
        {known > 0 && t('participants.previewKnown', { count: known, figure: format.count(known) })}
      </Text>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={t('participants.previewLabel')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('field.name')}</Table.Th>
              <Table.Th>{t('tracks.user')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {participants.slice(0, PREVIEW_ROWS).map(({ user_id, name, has_token }) => (
              <Table.Tr key={user_id}>
                <Table.Td>{name ?? '–'}</Table.Td>
                <Table.Td>
                  {user_id}{' '}
                  {has_token && (
                    <Badge variant="default" tt="none" ml="xs">
                      {t('participants.hasToken')}
                    </Badge>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
