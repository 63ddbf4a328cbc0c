import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settingsQuery } from '../api/queries.ts'
import { Command } from '../components/copy-fields.tsx'
import { appCommands } from '../credentials/commands.ts'
import { PlainToken } from '../credentials/phone-token-choice.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'

/** Offers the commands that put a first track on the map, for people with a terminal and no phone at hand. */
export function TestTrack({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  const settings = useQuery(settingsQuery)
  const ofAll = tokens.data?.find(({ user_id, permissions }) => user_id === null && permissions.includes('record'))
  if (ofAll === undefined) return null
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('first.tryHelp')}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Terminal size={16} aria-hidden />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t('live.tryIt')}
        </Button>
      </Group>
      {isShown && (
        <PlainToken eventId={eventId} tokenId={ofAll.id}>
          {({ token }) => (
            <Stack gap="sm">
              {settings.data !== undefined &&
                appCommands(settings.data.base_url, token).map(({ key, command }) => (
                  <Command key={key} label={t(key)} command={command} />
                ))}
            </Stack>
          )}
        </PlainToken>
      )}
    </Stack>
  )
}
