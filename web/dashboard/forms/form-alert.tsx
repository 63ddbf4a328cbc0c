import { Alert } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Says in a form what is wrong with it, where no single field is to blame. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} role="alert" variant="light">
      {children}
    </Alert>
  )
}
