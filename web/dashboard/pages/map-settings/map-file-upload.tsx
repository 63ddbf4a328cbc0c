import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { type MapFile, uploadMapFile } from '../../api/map.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useFormat } from '../../i18n/format.ts'

type MapFileUploadProps = { maxFileBytes: number; onUploaded(file: MapFile): void }

/** Uploads a map file, with its progress and a button that stops it. */
export function MapFileUpload({ maxFileBytes, onUploaded }: MapFileUploadProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const [sentBytes, setSentBytes] = useState(0)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const uploading = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxFileBytes) throw new TooLarge()
      stop.current = new AbortController()
      setSentBytes(0)
      return await uploadMapFile(file, { signal: stop.current.signal, onSent: setSentBytes })
    },
    onSuccess: async (file) => {
      await client.invalidateQueries({ queryKey: queryKeys.map })
      onUploaded(file)
    },
  })
  const { isPending, error, variables: file } = uploading
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton accept=".pmtiles" onChange={(chosen) => chosen && uploading.mutate(chosen)} disabled={isPending}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />} loading={isPending}>
              {t('map.upload')}
            </Button>
          )}
        </FileButton>
        {isPending && (
          <Button variant="subtle" onClick={() => stop.current?.abort(new DOMException('stopped', 'AbortError'))}>
            {t('action.cancel')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('map.uploadHelp', { size: format.bytes(maxFileBytes) })}
      </Text>
      {isPending && file !== undefined && (
        <>
          <Progress
            value={(100 * sentBytes) / Math.max(1, file.size)}
            aria-label={t('map.uploading', { name: file.name })}
          />
          <Text size="sm" role="status">
            {t('map.uploading', { name: file.name })}
          </Text>
        </>
      )}
      {!isPending && error !== null && <UploadFailure error={error} maxFileBytes={maxFileBytes} />}
    </Stack>
  )
}

/** Thrown for a file that the server would refuse, before any of it is sent. */
class TooLarge extends Error {}

function UploadFailure({ error, maxFileBytes }: { error: Error; maxFileBytes: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (error.name === 'AbortError') return null
  if (error instanceof TooLarge || (error instanceof ApiError && error.status === 413))
    return <FormAlert>{t('map.tooLarge', { size: format.bytes(maxFileBytes) })}</FormAlert>
  const fault = error instanceof ApiError ? faultOf(error) : undefined
  return fault === undefined ? <Failure error={error} /> : <FormAlert>{t(`map.fault.${fault}`)}</FormAlert>
}

/** Returns the kind of fault that the server names. */
function faultOf({ problem }: ApiError): NonNullable<MapFile['fault']> | undefined {
  return problem?.fault as NonNullable<MapFile['fault']> | undefined
}
