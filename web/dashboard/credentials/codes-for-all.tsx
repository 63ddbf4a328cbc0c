import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { credentialAnswers } from '../api/query-client.ts'
import { Failure, Loaded, useAction } from '../components/feedback.tsx'
import { AnchorLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { operatorCreateParticipantTokens } from '../generated/sdk.gen.ts'
import type { AppToken, Runner } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { isListed, runnersById, useRunners, withoutToken } from './person-codes.ts'

/** Most people of one request. */
const PEOPLE_PER_REQUEST = 5000

/** Creates a code for each of these runners. */
export function useCreateCodes(eventId: string, onCreated: () => unknown) {
  return useAction({
    action: async (runners: readonly Runner[]) => {
      const people = runners.map(({ user_id, name }) => ({ user_id, name }))
      for (let start = 0; start < people.length; start += PEOPLE_PER_REQUEST) {
        const participants = people.slice(start, start + PEOPLE_PER_REQUEST)
        await operatorCreateParticipantTokens({ path: { id: eventId }, body: { participants } })
      }
    },
    changes: [credentialAnswers(eventId)],
    onDone: onCreated,
  })
}

/** A code for each person: how many there are, and the sheet with all of them in one action. */
export function CodesForAll({ eventId, tokens }: { eventId: string; tokens: readonly AppToken[] }) {
  const { t } = useTranslation()
  const runners = useRunners(eventId)
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)" component="section" aria-labelledby="codes-for-all">
      <Stack gap="sm">
        <div>
          <Title order={3} size="h4" id="codes-for-all">
            {t('codes.title')}
          </Title>
          <Text c="dimmed" maw={720}>
            {t('codes.explanation')}
          </Text>
        </div>
        <Loaded query={runners}>
          {(list) => <SheetButton eventId={eventId} runners={list} personal={tokens.filter(isPersonal)} />}
        </Loaded>
      </Stack>
    </Paper>
  )
}

function isPersonal({ user_id }: AppToken): boolean {
  return user_id !== null
}

type SheetButtonProps = { eventId: string; runners: readonly Runner[]; personal: readonly AppToken[] }

function SheetButton({ eventId, runners, personal }: SheetButtonProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const missing = withoutToken(runners, personal)
  const byId = runnersById(runners)
  const counted = personal.filter((token) => isListed(token, byId)).length
  const openSheet = () => navigate({ to: paths.eventCodeSheet, params: { eventId } })
  const creating = useCreateCodes(eventId, openSheet)
  if (runners.length === 0 && personal.length === 0) {
    return (
      <Text size="sm">
        {t('codes.noList')}{' '}
        <AnchorLink to={paths.eventParticipants} params={{ eventId }} inherit underline="always">
          {t('codes.toList')}
        </AnchorLink>
      </Text>
    )
  }
  return (
    <>
      <Text size="sm">
        {counted > 0 && t('codes.count', { count: counted, figure: format.count(counted) })}{' '}
        {missing.length > 0 && t('codes.missing', { count: missing.length, figure: format.count(missing.length) })}
      </Text>
      <Group>
        <Button
          leftSection={<Printer size={16} aria-hidden />}
          loading={creating.isPending}
          onClick={() => (missing.length > 0 ? creating.mutate(missing) : void openSheet())}
        >
          {t('codes.sheet')}
        </Button>
      </Group>
      {creating.isError && <Failure error={creating.error} />}
    </>
  )
}
