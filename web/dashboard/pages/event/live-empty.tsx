import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { eventQuery, shownTokenQuery, tokensQuery } from '../../api/events.ts'
import { settingsQuery } from '../../api/settings.ts'
import { Command } from '../../components/command.tsx'
import { appCommands } from '../../events/app-commands.ts'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'

/** Replaces an empty live map: a link to earlier tracks, or the way to the first one. */
export function LiveEmpty({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const event = useQuery(eventQuery(eventId))
  const [isTried, setTried] = useState(false)
  if (event.data !== undefined && event.data.tracks_count > 0) {
    return (
      <EmptyState
        icon={MapPin}
        title={t('live.quiet')}
        action={
          <ButtonLink to={paths.eventTracks} params={{ eventId }} variant="default">
            {t('live.toTracks')}
          </ButtonLink>
        }
      >
        {t('live.quietHelp')}
      </EmptyState>
    )
  }
  return (
    <Stack>
      <EmptyState
        icon={MapPin}
        title={t('live.empty')}
        action={
          <Group justify="center">
            <ButtonLink to={paths.eventTokens} params={{ eventId }} variant="default">
              {t('live.toTokens')}
            </ButtonLink>
            <Button variant="default" aria-expanded={isTried} onClick={() => setTried(!isTried)}>
              {t('live.tryIt')}
            </Button>
          </Group>
        }
      >
        {t('live.emptyHelp')}
      </EmptyState>
      {isTried && <TryIt eventId={eventId} />}
    </Stack>
  )
}

/** Commands that put a first track on the map, with a token of the event; nothing if no token can be shown. */
function TryIt({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  const tokens = useQuery(tokensQuery(eventId))
  const tokenId = tokens.data?.[0]?.id
  const shown = useQuery({ ...shownTokenQuery(eventId, tokenId ?? ''), enabled: tokenId !== undefined })
  const token = shown.data?.token
  if (settings.data === undefined || token === undefined || token === null) return null
  return appCommands(settings.data.base_url, token).map(({ key, command }) => (
    <Command key={key} label={t(key)} command={command} />
  ))
}
