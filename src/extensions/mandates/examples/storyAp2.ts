/** The cart mandate of AP2 that the examples tell of, as the sandbox's demo merchant makes one. */

export const cartMandate = {
  contents: {
    id: 'cart_01m7yh6hrza5n3qtc4cyt0dq4d',
    user_cart_confirmation_required: false,
    payment_request: {
      method_data: [
        {
          supported_methods: 'CARD',
          data: {},
        },
      ],
      details: {
        id: 'order_01m7yh6hrza5nqmxjn1qa61mpm',
        display_items: [
          {
            label: 'Earpads',
            amount: {
              currency: 'USD',
              value: 37.5,
            },
            pending: null,
            refund_period: 30,
          },
          {
            label: 'Shipping',
            amount: {
              currency: 'USD',
              value: 4.5,
            },
            pending: null,
            refund_period: 30,
          },
        ],
        shipping_options: null,
        modifiers: null,
        total: {
          label: 'Total',
          amount: {
            currency: 'USD',
            value: 42,
          },
          pending: null,
          refund_period: 30,
        },
      },
      options: null,
      shipping_address: null,
    },
    cart_expiry: '2026-11-21T08:02:41.471Z',
    merchant_name: 'Demo shop at shop.example',
  },
  merchant_authorization:
    'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCIsImtpZCI6ImRpZDprZXk6ejZNa3Q4WUxGU211eXQzUnRYTmEzR2drZnU4TWJUSGl0TUdXb2dDekI5dHMxdHdEI3o2TWt0OFlMRlNtdXl0M1J0WE5hM0dna2Z1OE1iVEhpdE1HV29nQ3pCOXRzMXR3RCJ9.eyJpc3MiOiJodHRwczovL3Nob3AuZXhhbXBsZSIsImF1ZCI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODQwMiIsImp0aSI6Ik1CMkNRbXN2S1ZZVzJtbnQ5SXF6UXJpN0xnQUVCcnp0RHUwUjlRV3BGeDQiLCJpYXQiOjE3OTUyNDcyNjEsImV4cCI6MTc5NTI0ODE2MSwic3ViIjoiaHR0cHM6Ly9zaG9wLmV4YW1wbGUiLCJjYXJ0X2hhc2giOiJiUHZxZ0s0aGFvWlZxRjVwaFdJZHBvejZCb081emRqa0R4Z051U2ZrVDNvIn0.TEaP7WrYSSQkhhpnFZTHn5GAKlSWYH47aRXNL6ffPmOel2gFEXdBNxd1fvCQyr826p9bGGcNjbjx9B-uIr9EBw',
  risk_payload: null,
};
