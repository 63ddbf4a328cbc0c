import {
  Button,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownTokenQuery } from '../api/queries.ts'
import { credentialAnswers } from '../api/query-client.ts'
import { Failure, FormAlert, Loaded, useAction } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateParticipantTokens, operatorCreateToken } from '../generated/sdk.gen.ts'
import type { AppToken, ShownAppToken } from '../generated/types.gen.ts'
import { type Person, personOf, runnersById, useComparePeople, useRunners } from './person-codes.ts'
import { phoneTokens } from './phone-apps.ts'

type PhoneToken = ShownAppToken & { token: string }

type PhoneTokenChoiceProps = {
  eventId: string
  /** Renders the token. `isChosen` is true once it was made or chosen on this page. */
  children(token: PhoneToken, isChosen: boolean): ReactNode
}

/**
 * Lets people choose a token that phones may carry: one of the event, for everyone, or the personal one of somebody. A
 * personal token is shown only for the person who was named.
 */
export function PhoneTokenChoice({ eventId, children }: PhoneTokenChoiceProps) {
  const query = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  return (
    <Loaded query={query}>
      {(list) => (
        <TokenChoice eventId={eventId} tokens={phoneTokens(list)}>
          {children}
        </TokenChoice>
      )}
    </Loaded>
  )
}

type TokenChoiceProps = PhoneTokenChoiceProps & { tokens: readonly AppToken[] }

function TokenChoice({ tokens, ...props }: TokenChoiceProps) {
  const { t } = useTranslation()
  const [whose, setWhose] = useState<'event' | 'person'>('event')
  const isOfEvent = whose === 'event'
  const shown = tokens.filter(({ user_id }) => (user_id === null) === isOfEvent)
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={t('codes.whose')}
          value={whose}
          onChange={(value) => setWhose(value as typeof whose)}
          data={[
            { value: 'event', label: t('codes.ofEvent') },
            { value: 'person', label: t('codes.ofPerson') },
          ]}
        />
      </Group>
      {isOfEvent ? <EventTokens tokens={shown} {...props} /> : <PersonalTokens tokens={shown} {...props} />}
    </Stack>
  )
}

/** The tokens of an event, which everyone gets. Most events have one. */
function EventTokens({ eventId, tokens, children }: TokenChoiceProps) {
  const { t } = useTranslation()
  const [chosenId, setChosenId] = useState<string>()
  const creating = useTokenCreate(eventId, setChosenId, () =>
    operatorCreateToken({ path: { id: eventId }, body: { permissions: ['record'], label: t('phones.allPhones') } }),
  )
  const token = tokens.find(({ id }) => id === chosenId) ?? tokens[0]
  if (token === undefined) {
    return (
      <Paper withBorder p="lg" maw={760} bg="var(--panel-background)">
        <Stack align="flex-start">
          <Title order={3} size="h4">
            {t('phones.noToken')}
          </Title>
          <Text size="sm">{t('phones.noTokenHelp')}</Text>
          <Button loading={creating.isPending} onClick={() => creating.mutate('')}>
            {t('phones.createForAll')}
          </Button>
          {creating.isError && <Failure error={creating.error} />}
        </Stack>
      </Paper>
    )
  }
  return (
    <>
      {tokens.length > 1 && (
        <NativeSelect
          label={t('phones.token')}
          maw={480}
          value={token.id}
          onChange={(change) => setChosenId(change.currentTarget.value)}
          data={tokens.map(({ id, label, masked }) => ({
            value: id,
            label: [label, masked].filter(Boolean).join(' · '),
          }))}
        />
      )}
      <PlainToken key={token.id} eventId={eventId} tokenId={token.id}>
        {(shown) => children(shown, token.id === chosenId)}
      </PlainToken>
    </>
  )
}

/** People found by bib or name at once. */
const PEOPLE_SHOWN = 50

/** The personal tokens: one is shown after its person was chosen. */
function PersonalTokens({ eventId, tokens, children }: TokenChoiceProps) {
  const { t } = useTranslation()
  const compare = useComparePeople()
  const runners = useRunners(eventId)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const byId = runnersById(runners.data ?? [])
  const people = tokens
    .map((token) => ({ token, person: personOf(token, byId) }))
    .sort((a, b) => compare(a.person, b.person))
  const token = tokens.find(({ id }) => id === chosenId)
  return (
    <>
      {people.length > 0 && (
        <Select
          label={t('codes.person')}
          placeholder={t('codes.personHelp')}
          maw={480}
          searchable
          clearable
          limit={PEOPLE_SHOWN}
          nothingFoundMessage={t('participants.noneFound')}
          value={token?.id ?? null}
          onChange={setChosenId}
          data={people.map(({ token: { id, masked }, person }) => ({
            value: id,
            label: isAlone(person, people) ? person.fullName : `${person.fullName} · ${masked}`,
          }))}
        />
      )}
      {token === undefined ? (
        <PersonAdd eventId={eventId} tokens={tokens} onCreated={setChosenId} />
      ) : (
        <PlainToken key={token.id} eventId={eventId} tokenId={token.id}>
          {(shown) => children(shown, true)}
        </PlainToken>
      )}
    </>
  )
}

function isAlone({ fullName }: Person, people: readonly { person: Person }[]): boolean {
  return people.filter(({ person }) => person.fullName === fullName).length === 1
}

/** Makes a token, and chooses it. */
function useTokenCreate(
  eventId: string,
  onCreated: (id: string) => void,
  create: (person: string) => Promise<{ id: string } | undefined>,
) {
  return useAction({
    action: create,
    onSuccess: (token) => token !== undefined && onCreated(token.id),
    changes: [credentialAnswers(eventId)],
  })
}

type PersonAddProps = { eventId: string; tokens: readonly AppToken[]; onCreated(id: string): void }

/** Makes a personal token for somebody who is on no list; who has one keeps it. */
function PersonAdd({ eventId, tokens, onCreated }: PersonAddProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { person: '' },
    validate: { person: (text) => (text.trim() === '' ? t('phones.personMissing') : null) },
  })
  const creating = useTokenCreate(eventId, onCreated, async (person) => {
    const body = { participants: [{ user_id: person, name: person }] }
    const answer = await operatorCreateParticipantTokens({ path: { id: eventId }, body })
    const made = 'known_count' in answer ? answer.tokens[0] : undefined
    return made ?? tokens.find(({ user_id }) => user_id === person)
  })
  return (
    <Paper withBorder p="lg" maw={760} bg="var(--panel-background)">
      <Stack>
        <Title order={3} size="h4">
          {t('codes.addPerson')}
        </Title>
        <SubmitForm
          onSubmit={form.onSubmit(({ person }) => creating.mutate(person.trim()))}
          submitting={creating}
          submitLabel={t('phones.createForOne')}
        >
          <TextInput
            label={t('phones.person')}
            description={t('phones.personHelp')}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('person')}
          />
        </SubmitForm>
      </Stack>
    </Paper>
  )
}

type PlainTokenProps = {
  eventId: string
  tokenId: string
  children(token: PhoneToken): ReactNode
}

/** Fetches a token in plain text, which not all have. */
export function PlainToken({ eventId, tokenId, children }: PlainTokenProps) {
  const { t } = useTranslation()
  const query = useQuery(shownTokenQuery(eventId, tokenId))
  return (
    <Loaded query={query}>
      {(shown) =>
        shown.token === null ? (
          <FormAlert>{t('tokens.cannotShow')}</FormAlert>
        ) : (
          children({ ...shown, token: shown.token })
        )
      }
    </Loaded>
  )
}
