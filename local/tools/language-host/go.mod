module tenantry.invalid/language-host
go 1.24
require github.com/pulumi/pulumi/sdk/v3 v3.68.0
