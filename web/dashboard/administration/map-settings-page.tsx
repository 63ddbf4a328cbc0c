import { Alert, Button, Group, List, Paper, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Info, Map as MapIcon } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MapView } from '../../map/map-view.tsx'
import { onPreview, postPreview, type ShownMap, showMap } from '../../map/shown-map.ts'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { FormAlert, Loaded, notify } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import { BASE_PATH, paths } from '../components/paths.ts'
import { getMapSettingsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { updateMap } from '../generated/sdk.gen.ts'
import type { MapChoice, MapSettings } from '../generated/types.gen.ts'
import { choiceOf, draftOf, type MapDraft, missingOf, OPEN_FREE_MAP, type StyleCheck, shownOf } from './map-draft.ts'
import { MapFileFields, TerrainFields } from './map-file-fields.tsx'
import './map-settings.css'

/** Chooses the map of all pages, with a preview. */
export function MapSettingsPage() {
  const { t } = useTranslation()
  const settings = useQuery(getMapSettingsOptions())
  return (
    <>
      <PageTitle title={t('map.title')} windowTitle={`${t('map.title')} · ${t('map.settings')}`} />
      <Text c="dimmed" maw={720}>
        {t('map.explanation')}
      </Text>
      <Loaded query={settings}>{(found) => <MapForm settings={found} />}</Loaded>
    </>
  )
}

const PREVIEW_HEIGHT = 480

/** The kinds of maps with their fields, next to a preview. */
function MapForm({ settings }: { settings: MapSettings }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(settings))
  const [check, setCheck] = useState<StyleCheck>()
  const [problem, setProblem] = useState<string | undefined>()
  const onChecked = useCallback((done: StyleCheck) => setCheck(done), [])
  const change = (changes: Partial<MapDraft>) => {
    setProblem(undefined)
    setDraft((before) => ({ ...before, ...changes }))
  }
  const shown = useMemo(() => shownOf(draft, settings), [draft, settings])
  const styleCheck =
    check?.styleUrl === shown?.style_url && check?.darkStyleUrl === shown?.dark_style_url ? check : undefined
  const saving = useSaving()

  function save(): void {
    const missing = missingOf(draft, shown, styleCheck)
    setProblem(missing && t(missing))
    if (missing === undefined) saving.mutate(choiceOf(draft, shown!, styleCheck))
  }

  return (
    <div className="map-settings">
      <SubmitForm
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
        submitting={saving}
        submitLabel={t('action.save')}
      >
        <Radio.Group
          label={t('map.kind')}
          value={draft.kind}
          onChange={(kind) => change({ kind: kind as MapDraft['kind'] })}
        >
          <Stack mt="xs" gap="sm">
            {settings.default_style_url !== null && (
              <Kind kind="default" draft={draft} settings={settings}>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {settings.default_style_url}
                </Text>
              </Kind>
            )}
            <Kind kind="outlines" draft={draft} settings={settings} />
            <Kind kind="file" draft={draft} settings={settings}>
              <MapFileFields settings={settings} draft={draft} onChange={change} />
            </Kind>
            <Kind kind="style" draft={draft} settings={settings}>
              <StyleFields draft={draft} shown={shown} check={styleCheck} onChange={change} />
            </Kind>
          </Stack>
        </Radio.Group>
        <TerrainFields settings={settings} draft={draft} onChange={change} />
        {problem !== undefined && <FormAlert>{problem}</FormAlert>}
      </SubmitForm>
      <section aria-label={t('map.preview')} className="map-settings-preview">
        <Preview shown={shown} onChecked={onChecked} />
      </section>
    </div>
  )
}

/** Saves a choice, and shows it on the pages of this browser. */
function useSaving() {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (choice: MapChoice) => updateMap({ body: choice }),
    onSuccess: (settings) => {
      client.setQueryData(getMapSettingsOptions().queryKey, settings)
      // The policy of a page is fixed when it is loaded; this one does not let the new style load.
      if (settings.in_use.kind === 'style') location.reload()
      else {
        showMap(settings.in_use)
        notify(t('map.saved'))
      }
    },
  })
}

type KindProps = { kind: MapDraft['kind']; draft: MapDraft; settings: MapSettings; children?: ReactNode }

/** A kind of map, with its fields once it is selected. */
function Kind({ kind, draft, settings, children }: KindProps) {
  const { t } = useTranslation()
  const isSelected = draft.kind === kind
  const isInUse = draftOf(settings).kind === kind
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Radio
        value={kind}
        label={
          <Group gap="xs" component="span">
            {t(`map.kind.${kind}`)}
            {isInUse && (
              <Text span size="xs" c="dimmed">
                {t('map.inUse')}
              </Text>
            )}
          </Group>
        }
        description={t(`map.help.${kind}`)}
      />
      {isSelected && children !== undefined && (
        <Stack mt="md" gap="md" className="map-settings-fields">
          {children}
        </Stack>
      )}
    </Paper>
  )
}

type PreviewProps = { shown: ShownMap | undefined; onChecked(check: StyleCheck): void }

function Preview({ shown, onChecked }: PreviewProps) {
  const { t } = useTranslation()
  const locale = useMapLocale()
  if (shown === undefined)
    return (
      <EmptyState icon={MapIcon} title={t('map.previewEmpty')}>
        {t('map.previewEmptyHelp')}
      </EmptyState>
    )
  if (shown.kind === 'style') return <StylePreview shown={shown} onChecked={onChecked} height={PREVIEW_HEIGHT} />
  return (
    <MapView
      // Another file begins in another place.
      key={shown.file?.url}
      shown={shown}
      label={t('map.previewLabel')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={drawNothing}
      height={PREVIEW_HEIGHT}
    />
  )
}

function drawNothing(): void {}

type StyleFieldsProps = {
  draft: MapDraft
  shown: ShownMap | undefined
  check: StyleCheck | undefined
  onChange(changes: Partial<MapDraft>): void
}

/** The addresses of a style, and the consequences of its choice for spectators. */
function StyleFields({ draft, shown, check, onChange }: StyleFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => onChange(OPEN_FREE_MAP)}>
          {t('map.openFreeMap')}
        </Button>
      </Group>
      {(['style_url', 'dark_style_url'] as const).map((field) => (
        <TextInput
          key={field}
          label={t(`map.${field}`)}
          description={t(`map.${field}_help`)}
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
          required={field === 'style_url'}
          maxLength={2000}
          value={draft[field] ?? ''}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      ))}
      <Alert icon={<Info aria-hidden />} variant="light" title={t('map.thirdParty')}>
        {t('map.thirdPartyHelp')}
      </Alert>
      <div role="status">{shown !== undefined && <CheckResult check={check} />}</div>
    </>
  )
}

function CheckResult({ check }: { check: StyleCheck | undefined }) {
  const { t } = useTranslation()
  if (check === undefined) return <Text size="sm">{t('map.styleLoading')}</Text>
  if (check.state === 'failed') return <FormAlert>{t('map.styleFailed')}</FormAlert>
  return (
    <Stack gap={4}>
      <Text size="sm">{t('map.styleHosts')}</Text>
      <List size="sm">
        {check.origins.map((origin) => (
          <List.Item key={origin} style={{ overflowWrap: 'anywhere' }}>
            {origin}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

type StylePreviewProps = { shown: ShownMap; onChecked(check: StyleCheck): void; height: number }

/** Shows a style in a frame, whose policy lets it load from anywhere, and reports which hosts that is. */
function StylePreview({ shown, onChecked, height }: StylePreviewProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)

  useEffect(
    () =>
      onPreview(
        () => frame.current?.contentWindow,
        (message) => {
          if (message.state === 'ready') setReady(true)
          if (message.state !== 'loaded' && message.state !== 'failed') return
          const { state, styleUrl, darkStyleUrl } = message
          onChecked({ state, styleUrl, darkStyleUrl, origins: message.state === 'loaded' ? message.origins : [] })
        },
      ),
    [onChecked],
  )
  useEffect(() => {
    const view = frame.current?.contentWindow
    if (isReady && view) postPreview(view, { about: 'map-preview', state: 'show', shown })
  }, [isReady, shown])

  return (
    <iframe
      ref={frame}
      src={`${BASE_PATH}${paths.mapPreview}`}
      title={t('map.previewLabel')}
      style={{ width: '100%', height, border: 0, borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}
