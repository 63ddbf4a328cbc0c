import { Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Printer, Search, Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import { credentialAnswers } from '../api/query-client.ts'
import { csvBody } from '../api/request.ts'
import { notify } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { ListImport } from '../components/list-import.tsx'
import { ListCount, RowButton } from '../components/lists.tsx'
import { paths } from '../components/paths.ts'
import { operatorCreateParticipantTokens } from '../generated/sdk.gen.ts'
import type { AppToken, CheckedParticipants, ParticipantTokensCreated } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useCredentialColumns } from './credential-list.tsx'
import type { CredentialOwner } from './credential-requests.ts'
import { PersonalLifetime, tokenLifetime } from './lifetime.tsx'

/** Rows that are shown at first. A race can have thousands of participants. */
const FIRST_ROWS = 50
/** Participants from which on there is a search. */
const MIN_TO_SEARCH = 10

type ParticipantsProps = { owner: CredentialOwner; tokens: readonly AppToken[] }

/** The tokens of participants: one by one, for a list, and as a sheet of QR codes. */
export function ParticipantsSection({ owner, tokens }: ParticipantsProps) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  return (
    <Stack component="section" aria-labelledby="participants" mt="lg">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} id="participants">
            {t('participants.title')}
          </Title>
          <Text c="dimmed" maw={640}>
            {t('participants.explanation')}
          </Text>
        </div>
        <Group>
          {tokens.length > 0 && (
            <ButtonLink
              to={paths.eventCodeSheet}
              params={{ eventId: owner.id }}
              variant="default"
              leftSection={<Printer size={16} aria-hidden />}
            >
              {t('participants.print')}
            </ButtonLink>
          )}
          {!isAdding && (
            <Button variant="default" leftSection={<Users size={16} aria-hidden />} onClick={() => setAdding(true)}>
              {t('participants.add')}
            </Button>
          )}
        </Group>
      </Group>
      {isAdding && (
        <ParticipantImport eventId={owner.id} onDone={() => setAdding(false)} onCancel={() => setAdding(false)} />
      )}
      {tokens.length > 0 && <ParticipantTable owner={owner} tokens={tokens} />}
      {tokens.length === 0 && !isAdding && (
        <EmptyState icon={Users} title={t('participants.empty')}>
          {t('participants.emptyHelp')}
        </EmptyState>
      )}
    </Stack>
  )
}

function ParticipantTable({ owner, tokens }: ParticipantsProps) {
  const { t, i18n } = useTranslation()
  const { lastUsed, expires, actions } = useCredentialColumns(owner)
  const [search, setSearch] = useState('')
  const [isWhole, setWhole] = useState(false)
  const { compare } = new Intl.Collator(i18n.language, { numeric: true })
  const found = tokens
    .filter(({ label, user_id }) => foldText(`${label ?? ''} ${user_id ?? ''}`).includes(foldText(search.trim())))
    .sort((a, b) => compare(nameOf(a), nameOf(b)))
  const shown = isWhole ? found : found.slice(0, FIRST_ROWS)
  return (
    <Stack gap="sm">
      {tokens.length >= MIN_TO_SEARCH && (
        <TextInput
          type="search"
          maw={360}
          label={t('participants.search')}
          leftSection={<Search size={16} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {found.length === 0 ? (
        <Text role="status">{t('participants.noneFound')}</Text>
      ) : (
        <StackedTable
          label={t('participants.title')}
          columns={[
            { head: t('field.name'), cell: ({ label }) => label ?? '–' },
            { head: t('tracks.user'), cell: ({ user_id }: AppToken) => user_id },
            lastUsed,
            expires,
            actions,
          ]}
          rows={shown}
          rowId={({ id }) => id}
        />
      )}
      <Group>
        <ListCount
          shown={shown.length}
          total={found.length}
          partLabel={(figures) => t('participants.someOf', figures)}
          allLabel={(counted) => t('participants.count', counted)}
        />
        {shown.length < found.length && (
          <RowButton onClick={() => setWhole(true)}>{t('participants.showAll')}</RowButton>
        )}
      </Group>
    </Stack>
  )
}

function nameOf({ label, user_id }: AppToken): string {
  return label ?? user_id ?? ''
}

/** Someone in a list as it was read. */
type CheckedParticipant = CheckedParticipants['participants'][number]

/** Reads a list without storing anything. @throws ApiError that names each wrong line */
async function checkParticipants(id: string, csv: string): Promise<CheckedParticipant[]> {
  const options = { path: { id }, query: { check: 'true' } as const, ...csvBody(csv) }
  return ((await operatorCreateParticipantTokens(options)) as CheckedParticipants).participants
}

/** Creates a token for everyone in a list who has none. */
async function createParticipantTokens(
  id: string,
  csv: string,
  { keep_sec: keepSec, never_expires: neverExpires }: ReturnType<typeof tokenLifetime>,
): Promise<ParticipantTokensCreated> {
  const query = {
    ...(keepSec !== undefined && { keep_sec: keepSec }),
    ...(neverExpires !== undefined && { never_expires: neverExpires ? ('true' as const) : ('false' as const) }),
  }
  return (await operatorCreateParticipantTokens({ path: { id }, query, ...csvBody(csv) })) as ParticipantTokensCreated
}

type ParticipantImportProps = { eventId: string; onDone(): void; onCancel(): void }

/** Creates a token for everyone in a list who has none. */
function ParticipantImport({ eventId, onDone, onCancel }: ParticipantImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const [lifetime, setLifetime] = useState('')
  return (
    <ListImport
      title={
        <Title order={3} size="h4">
          {t('participants.add')}
        </Title>
      }
      help={t('participants.addHelp')}
      label={t('participants.csv')}
      description={t('participants.csvHelp')}
      example={t('participants.csvExample')}
      check={async (csv) => ({ people: await checkParticipants(eventId, csv) })}
      store={(csv) => createParticipantTokens(eventId, csv, tokenLifetime(lifetime))}
      onStored={async ({ tokens }) => {
        notify(t('participants.created', { count: tokens.length, figure: format.count(tokens.length) }))
        onDone()
        await client.invalidateQueries(credentialAnswers(eventId))
      }}
      isWorthStoring={(people) => missingIn(people) > 0}
      storeLabel={t('participants.create')}
      onCancel={onCancel}
      summary={(people) => {
        const missing = missingIn(people)
        const known = people.length - missing
        return (
          <>
            {t('participants.preview', { count: missing, figure: format.count(missing) })}{' '}
            {known > 0 && t('participants.previewKnown', { count: known, figure: format.count(known) })}
          </>
        )
      }}
      previewLabel={t('participants.previewLabel')}
      columns={[
        { head: t('field.name'), cell: ({ name }) => name ?? '–' },
        { head: t('tracks.user'), cell: (person) => <PersonCell person={person} /> },
      ]}
      personId={({ user_id }) => user_id}
    >
      <PersonalLifetime eventId={eventId} value={lifetime} onChange={setLifetime} />
    </ListImport>
  )
}

function missingIn(people: readonly CheckedParticipant[]): number {
  return people.filter(({ has_token }) => !has_token).length
}

function PersonCell({ person: { user_id, has_token } }: { person: CheckedParticipant }) {
  const { t } = useTranslation()
  return (
    <>
      {user_id}{' '}
      {has_token && (
        <Badge variant="default" tt="none" ml="xs">
          {t('participants.hasToken')}
        </Badge>
      )}
    </>
  )
}
