import { Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { domainProblem } from '../../../src/publications/model/face-fields.ts'
import { hasStatus } from '../api/api-error.ts'
import { Failure, notify } from '../components/feedback.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { operatorCheckDomainOptions, operatorGetFaceOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorUpdateDomain } from '../generated/sdk.gen.ts'
import type { WorkspaceFace } from '../generated/types.gen.ts'

/** Returns a function that shows a face as it was saved. */
export function useFaceSaved(workspaceId: string) {
  const client = useQueryClient()
  const { queryKey } = operatorGetFaceOptions({ path: { id: workspaceId } })
  return (face: WorkspaceFace | null) => client.setQueryData(queryKey, { face })
}

/** Sets the host name under which readers find the workspace; empty for none. */
export function DomainForm({ workspaceId, face }: { workspaceId: string; face: WorkspaceFace }) {
  const { t } = useTranslation()
  const onSaved = useFaceSaved(workspaceId)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { domain: face.domain ?? '' },
    validate: {
      domain: (domain) => (domain.trim() === '' || domainProblem(domain) === undefined ? null : t('face.domainWrong')),
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={({ domain }) => operatorUpdateDomain({ path: { id: workspaceId }, body: { domain: textOrNull(domain) } })}
        onSaved={(saved) => {
          onSaved(saved)
          form.setInitialValues({ domain: saved.domain ?? '' })
          form.reset()
          notify(t('action.saved'))
        }}
        onFailed={(error) => {
          if (hasStatus(error, 409)) form.setFieldError('domain', t('face.domainTaken'))
        }}
        describe={(error) => (hasStatus(error, 409) ? '' : undefined)}
        submitLabel={t('action.save')}
      >
        <Title order={2}>{t('face.domain')}</Title>
        <TextInput
          label={t('face.domainName')}
          description={t('face.domainHelp')}
          placeholder="reports.example.org"
          inputMode="url"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={253}
          key={form.key('domain')}
          {...form.getInputProps('domain')}
        />
      </ResourceForm>
      {face.domain !== null && <DomainCheck key={face.domain} workspaceId={workspaceId} domain={face.domain} />}
    </Paper>
  )
}

/** Says whether the DNS of the host name leads to this server. */
function DomainCheck({ workspaceId, domain }: { workspaceId: string; domain: string }) {
  const { t } = useTranslation()
  // A record that was entered a moment ago may not be known yet.
  const check = useQuery({ ...operatorCheckDomainOptions({ path: { id: workspaceId } }), staleTime: 0, gcTime: 0 })
  const { state, server_name: server } = check.data ?? {}
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" role="status" fw={500}>
        {check.isFetching && t('face.domainChecking')}
        {!check.isFetching && state != null && t(`face.domainState.${state}`, { domain, server })}
      </Text>
      {!check.isFetching && check.error !== null && <Failure error={check.error} />}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={check.isFetching}
        onClick={() => void check.refetch()}
      >
        {t('face.domainCheckAgain')}
      </Button>
    </Stack>
  )
}
