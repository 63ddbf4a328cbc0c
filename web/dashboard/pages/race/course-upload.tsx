import { Button, FileButton, Group, Stack } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileUp, Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { putCourse } from '../../api/races.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'

type CourseUploadProps = { eventId: string; isReplacement?: boolean }

/** Takes a GPX file as the course, by a button or dropped anywhere in the window. */
export function CourseUpload({ eventId, isReplacement = false }: CourseUploadProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const reset = useRef<() => void>(null)
  const uploading = useMutation({
    mutationFn: (file: File) => putCourse(eventId, file),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.race(eventId) })
      notify(t('race.courseSet'))
    },
    onSettled: () => reset.current?.(),
  })
  const take = (file: File | null | undefined) => {
    if (file !== null && file !== undefined) uploading.mutate(file)
  }
  return (
    <Stack gap="xs" align={isReplacement ? 'flex-end' : 'center'}>
      <FileButton
        onChange={take}
        accept=".gpx,application/gpx+xml"
        resetRef={reset}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        {(props) => (
          <Button
            {...props}
            loading={uploading.isPending}
            variant={isReplacement ? 'default' : 'filled'}
            leftSection={<Upload size={16} aria-hidden />}
          >
            {t(isReplacement ? 'race.replaceCourse' : 'race.chooseGpx')}
          </Button>
        )}
      </FileButton>
      <Dropzone.FullScreen active onDrop={([file]) => take(file)} loaderProps={{ 'aria-hidden': true }}>
        <Group justify="center" align="center" h="calc(100dvh - 80px)">
          <FileUp size={56} aria-hidden />
          {t('race.dropGpx')}
        </Group>
      </Dropzone.FullScreen>
      {uploading.isError && <UploadFailure error={uploading.error} />}
    </Stack>
  )
}

/** Says what is wrong with a file, in the words of the server: they name the point or the checkpoint. */
function UploadFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isFile = error instanceof ApiError && [400, 409, 422].includes(error.status)
  if (!isFile) return <Failure error={error} />
  const [first] = error.problem?.errors ?? []
  return <FormAlert>{t('race.courseRefused', { reason: first?.message ?? error.problem?.detail ?? '' })}</FormAlert>
}
