import { Button, NavLink, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { GitCompareArrows, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tracksQuery } from '../api/queries.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { MoreButton, usePages } from '../components/lists.tsx'
import { paths } from '../components/paths.ts'
import type { OperatorTrack } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

type TrackChoiceProps = {
  eventId: string
  /** A track that cannot be chosen: the one to compare with. */
  exceptId: string | undefined
  onChoose(trackId: string): void
}

const SEARCH_DELAY_MS = 300

/** A search among an event's tracks, to choose one of them. */
export function TrackChoice({ eventId, exceptId, onChoose }: TrackChoiceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS)
  const query = useInfiniteQuery(tracksQuery(eventId, searched === '' ? {} : { q: searched }))
  const { rows } = usePages(query, ({ tracks }) => tracks)
  const others = rows.filter(({ id }) => id !== exceptId)
  return (
    <Stack>
      <TextInput
        type="search"
        label={t('list.search')}
        placeholder={t('tracks.searchIn')}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <Loaded query={query}>
        {() => (
          <ul aria-label={t('event.tracks')} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {others.map((track) => (
              <li key={track.id}>
                <NavLink
                  component="button"
                  type="button"
                  label={format.trackName(track.name, track.start_ts)}
                  description={[
                    format.dateTime(track.start_ts),
                    t(`activity.${track.activity_type}`),
                    ...(track.stats === null ? [] : [format.distance(track.stats.distance_meters)]),
                  ].join(' · ')}
                  onClick={() => onChoose(track.id)}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Text size="sm" c="dimmed" role="status">
        {query.isSuccess && others.length === 0 && t(searched === '' ? 'comparison.noOther' : 'tracks.noneFound')}
      </Text>
      <MoreButton query={query}>{t('comparison.moreTracks')}</MoreButton>
    </Stack>
  )
}

/** Asks for a second track of the event, and leads to the comparison of both. */
export function CompareWith({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const eventId = track.event.id
  const compare = (b: string) =>
    navigate({ to: paths.eventComparison, params: { eventId }, search: { a: track.id, b } })
  return (
    <>
      <Button variant="default" leftSection={<GitCompareArrows size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('comparison.compareWith')}
      </Button>
      <Dialog title={t('comparison.compareWith')} opened={isOpen} onClose={() => setOpen(false)}>
        <TrackChoice eventId={eventId} exceptId={track.id} onChoose={(chosen) => void compare(chosen)} />
      </Dialog>
    </>
  )
}
