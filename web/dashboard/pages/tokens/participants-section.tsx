import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { Printer, Search, Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StackedTable } from '../../../ui/stacked-table.tsx'
import type { AppToken } from '../../api/events.ts'
import { ListCount } from '../../components/list-count.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { ParticipantImport } from './participant-import.tsx'
import { ParticipantRow } from './participant-row.tsx'

/** Rows that are shown at first. A race can have thousands of participants. */
const FIRST_ROWS = 50
/** Participants from which on there is a search. */
const MIN_TO_SEARCH = 10

/** The tokens of participants: one by one, for a list, and as a sheet of QR codes. */
export function ParticipantsSection({ eventId, tokens }: { eventId: string; tokens: readonly AppToken[] }) {
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
              to={paths.eventTokenSheet}
              params={{ eventId }}
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
        <ParticipantImport eventId={eventId} onDone={() => setAdding(false)} onCancel={() => setAdding(false)} />
      )}
      {tokens.length > 0 && <ParticipantTable eventId={eventId} tokens={tokens} />}
      {tokens.length === 0 && !isAdding && (
        <EmptyState icon={Users} title={t('participants.empty')}>
          {t('participants.emptyHelp')}
        </EmptyState>
      )}
    </Stack>
  )
}

function ParticipantTable({ eventId, tokens }: { eventId: string; tokens: readonly AppToken[] }) {
  const { t, i18n } = useTranslation()
  const [search, setSearch] = useState('')
  const [isWhole, setWhole] = useState(false)
  const { compare } = new Intl.Collator(i18n.language, { numeric: true })
  const found = tokens
    .filter(({ label, user_id }) => contains(`${label ?? ''} ${user_id ?? ''}`, search))
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
          heads={[t('field.name'), t('tracks.user'), t('tokens.lastUsed'), t('field.expires'), t('table.actions')]}
        >
          {shown.map((token) => (
            <ParticipantRow key={token.id} eventId={eventId} token={token} />
          ))}
        </StackedTable>
      )}
      <Group>
        <ListCount
          shown={shown.length}
          total={found.length}
          partLabel={(figures) => t('participants.someOf', figures)}
          allLabel={(counted) => t('participants.count', counted)}
        />
        {shown.length < found.length && (
          <Button size="xs" variant="default" onClick={() => setWhole(true)}>
            {t('participants.showAll')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function nameOf({ label, user_id }: AppToken): string {
  return label ?? user_id ?? ''
}

/** Tells whether a text has another one in it, without regard to case and accents. */
function contains(text: string, part: string): boolean {
  return folded(text).includes(folded(part.trim()))
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
