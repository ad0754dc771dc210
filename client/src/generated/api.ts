// Made of the API document; do not edit it. `npm run docs` makes it again.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the supported microversions. */
        get: operations["showVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/allocation_candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the ways in which a request for resources could be met. */
        get: operations["listAllocationCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/allocation_candidates/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explains why hosts have no candidate, and which changes of the request give them one. */
        get: operations["explainAllocationCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/allocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the allocations of several consumers in one transaction. */
        post: operations["replaceManyAllocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/allocations/{consumer_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the allocations of a consumer. */
        get: operations["showAllocations"];
        /** Replaces the allocations of a consumer. */
        put: operations["replaceAllocations"];
        post?: never;
        /** Deletes the allocations of a consumer. */
        delete: operations["deleteAllocations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists names of hypervisors. */
        get: operations["listComputeHypervisors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists hypervisors. */
        get: operations["listComputeHypervisorDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the sums over all hypervisors. */
        get: operations["showComputeHypervisorStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a hypervisor. */
        get: operations["showComputeHypervisor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists hypervisors whose name has this part. */
        get: operations["searchComputeHypervisors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-hypervisors/{id}/uptime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the uptime of a hypervisor, which is always unknown. */
        get: operations["showComputeHypervisorUptime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-keypairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the key pairs of a user. */
        get: operations["listComputeKeypairs"];
        put?: never;
        /** Imports a public key, or makes a key pair. */
        post: operations["createComputeKeypair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/os-keypairs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a key pair. */
        get: operations["showComputeKeypair"];
        put?: never;
        post?: never;
        /** Deletes a key pair. */
        delete: operations["deleteComputeKeypair"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists names of servers. */
        get: operations["listComputeServers"];
        put?: never;
        /** Creates servers, and places them at once. */
        post: operations["createComputeServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists servers. */
        get: operations["listComputeServerDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a server. */
        get: operations["showComputeServer"];
        /** Changes what a server is called. */
        put: operations["updateComputeServer"];
        post?: never;
        /** Deletes a server. */
        delete: operations["deleteComputeServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Does something to a server, or reads its console log. */
        post: operations["actOnComputeServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the metadata of a server. */
        get: operations["listComputeServerMetadata"];
        /** Replaces the metadata of a server. */
        put: operations["replaceComputeServerMetadata"];
        /** Adds to the metadata of a server. */
        post: operations["mergeComputeServerMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/metadata/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a key of the metadata of a server. */
        get: operations["showComputeServerMetadata"];
        /** Sets a key of the metadata of a server. */
        put: operations["setComputeServerMetadata"];
        post?: never;
        /** Removes a key of the metadata of a server. */
        delete: operations["deleteComputeServerMetadata"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/os-instance-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what was done to a server. */
        get: operations["listComputeServerActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/os-instance-actions/{request}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what was done to a server by one request. */
        get: operations["showComputeServerAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/remote-consoles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuses to show a console, since servers have none. */
        post: operations["showComputeServerConsole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/compute/v2.1/servers/{id}/{part}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows ips, migrations, os-interface, os-security-groups, os-volume_attachments of a server. */
        get: operations["showComputeServerPart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the operators’ console. */
        get: operations["showConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** Returns the headers of the page. */
        head: operations["checkConsole"];
        patch?: never;
        trace?: never;
    };
    "/console/config.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the login method of the console and the URLs of the APIs. */
        get: operations["showConsoleConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the page on which people log in. */
        get: operations["showConsoleLogin"];
        put?: never;
        /** Returns a project token for a user name and password of the Identity service. */
        post: operations["logInToConsole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller and the permissions that the policies grant. */
        get: operations["showConsoleSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a page of the console, or serves a file of it. */
        get: operations["showConsolePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** Returns the headers of a page or a file of the console. */
        head: operations["checkConsolePage"];
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the page on which the API document is read. */
        get: operations["showDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the API document of one version. */
        get: operations["showApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Serves a file of the page. */
        get: operations["showDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks that the process is alive. */
        get: operations["showLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the metrics of the service in the text format of Prometheus. */
        get: operations["showMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the versions of the Network API. */
        get: operations["listNetworkVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/availability_zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists availability_zones: always none. */
        get: operations["listNetworkZones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists extensions: always none. */
        get: operations["listNetworkExtensions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/floatingips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists floatingips: always none. */
        get: operations["listNetworkFloatingAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the one network. */
        get: operations["listNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/networks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the one network. */
        get: operations["showNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists ports: always none. */
        get: operations["listNetworkPorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/quotas/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the quotas of every project: none is limited. */
        get: operations["showNetworkQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/quotas/{project_id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the same quotas. */
        get: operations["showDefaultNetworkQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/routers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists routers: always none. */
        get: operations["listNetworkRouters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/security-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the one security group. */
        get: operations["listNetworkSecurityGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/v2.0/subnets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists subnets: always none. */
        get: operations["listNetworkSubnets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks whether the service accepts requests. */
        get: operations["showReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/advice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists problems and the commands that fix them. */
        get: operations["reportAdvice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/capacity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what the cloud has, uses and has left, by resource class and by groups of hosts. */
        get: operations["reportCapacity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams changes after a position as server-sent events. */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/flavors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows how many more instances of each flavor fit, and the bottleneck for the next one. */
        get: operations["reportFlavors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows use, refusals and decisions over the last hours. */
        get: operations["reportHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists hosts with inventories, location and status. */
        get: operations["listReportedHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/hosts/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the host of a provider: tree, consumers, last decisions, and fitting flavors. */
        get: operations["showReportedHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the instances that Berth placed, newest first; by name if only a part of the name is given. */
        get: operations["listReportedInstances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows every host with its place, its status and one number to colour it by. */
        get: operations["showCloudMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists projects with their use and its share of the cloud. */
        get: operations["listReportedProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the use of a project and its largest consumers. */
        get: operations["showReportedProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows why decisions of the last hours placed nothing. */
        get: operations["reportRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what changed since a time: hosts, refusals and use. */
        get: operations["reportTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reshaper": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves inventories between resource providers, and allocations with them, in one transaction. */
        post: operations["reshape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists resource classes. */
        get: operations["listResourceClasses"];
        put?: never;
        /** Creates a custom resource class. */
        post: operations["createResourceClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_classes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a resource class. */
        get: operations["showResourceClass"];
        /** Creates a custom resource class, or confirms it; old versions rename it. */
        put: operations["ensureResourceClass"];
        post?: never;
        /** Deletes a custom resource class. */
        delete: operations["deleteResourceClass"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists resource providers. */
        get: operations["listResourceProviders"];
        put?: never;
        /** Creates a resource provider. */
        post: operations["createResourceProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a resource provider. */
        get: operations["showResourceProvider"];
        /** Renames a resource provider, or moves it in its tree. */
        put: operations["updateResourceProvider"];
        post?: never;
        /** Deletes a resource provider. */
        delete: operations["deleteResourceProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/aggregates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the aggregates of a resource provider. */
        get: operations["listAggregates"];
        /** Replaces the aggregates of a resource provider. */
        put: operations["replaceAggregates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/allocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the allocations of a resource provider. */
        get: operations["listProviderAllocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/inventories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the inventories of a resource provider. */
        get: operations["listInventories"];
        /** Replaces all inventories of a resource provider. */
        put: operations["replaceInventories"];
        /** Gives a resource provider an inventory of one more resource class. */
        post: operations["createInventory"];
        /** Deletes all inventories of a resource provider. */
        delete: operations["deleteInventories"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/inventories/{resource_class}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the inventory of one resource class. */
        get: operations["showInventory"];
        /** Replaces the inventory of one resource class. */
        put: operations["updateInventory"];
        post?: never;
        /** Deletes the inventory of one resource class. */
        delete: operations["deleteInventory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/traits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the traits of a resource provider. */
        get: operations["listProviderTraits"];
        /** Replaces the traits of a resource provider. */
        put: operations["replaceProviderTraits"];
        post?: never;
        /** Takes all traits from a resource provider. */
        delete: operations["deleteProviderTraits"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource_providers/{uuid}/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the usage of a resource provider. */
        get: operations["showProviderUsages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the filters, weighers and options in use. */
        get: operations["showScheduler"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/availability_zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists availability zones with their hosts. */
        get: operations["listAvailabilityZones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/capacity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts how many more instances of a registered flavor fit. */
        get: operations["showCapacity"];
        put?: never;
        /** Counts how many more instances of a request fit. */
        post: operations["countCapacity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists decisions that were kept, newest first. */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/decisions/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the decision on a request. */
        get: operations["showDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows which host would be selected, and why every other host was rejected. */
        post: operations["explainDestinations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/flavors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists flavors. */
        get: operations["listFlavors"];
        put?: never;
        /** Creates a flavor. */
        post: operations["createFlavor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/flavors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a flavor. */
        get: operations["showFlavor"];
        /** Replaces a flavor of the generation that the body names, or creates it. */
        put: operations["replaceFlavor"];
        post?: never;
        /** Deletes a flavor that nothing needs. */
        delete: operations["deleteFlavor"];
        options?: never;
        head?: never;
        /** Changes what the body names of a flavor. */
        patch: operations["updateFlavor"];
        trace?: never;
    };
    "/scheduler/flavors/{id}/extra_specs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Merges extra specs into those of a flavor. */
        patch: operations["setFlavorExtraSpecs"];
        trace?: never;
    };
    "/scheduler/host_aggregates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists host aggregates. */
        get: operations["listHostAggregates"];
        put?: never;
        /** Creates a host aggregate. */
        post: operations["createHostAggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/host_aggregates/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a host aggregate. */
        get: operations["showHostAggregate"];
        /** Replaces a host aggregate of the generation that the body names, or creates it. */
        put: operations["replaceHostAggregate"];
        post?: never;
        /** Deletes a host aggregate that nothing needs. */
        delete: operations["deleteHostAggregate"];
        options?: never;
        head?: never;
        /** Changes what the body names of a host aggregate. */
        patch: operations["updateHostAggregate"];
        trace?: never;
    };
    "/scheduler/host_aggregates/{uuid}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a host into a host aggregate. */
        post: operations["addHostToAggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/host_aggregates/{uuid}/hosts/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a host out of a host aggregate. */
        delete: operations["removeHostFromAggregate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/host_aggregates/{uuid}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Merges metadata into that of a host aggregate. */
        patch: operations["setHostAggregateMetadata"];
        trace?: never;
    };
    "/scheduler/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists compute hosts with what they reported. */
        get: operations["listHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/hosts/{host}/{node}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a compute host with its last report. */
        get: operations["showHost"];
        /** Takes the report of a compute host, which is its heartbeat. */
        put: operations["reportHost"];
        post?: never;
        /** Forgets a compute host. */
        delete: operations["deleteHost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists images. */
        get: operations["listImages"];
        put?: never;
        /** Creates an image. */
        post: operations["createImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/images/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an image. */
        get: operations["showImage"];
        /** Replaces an image of the generation that the body names, or creates it. */
        put: operations["replaceImage"];
        post?: never;
        /** Deletes an image that nothing needs. */
        delete: operations["deleteImage"];
        options?: never;
        head?: never;
        /** Changes what the body names of an image. */
        patch: operations["updateImage"];
        trace?: never;
    };
    "/scheduler/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the instances that Berth placed. */
        get: operations["listInstances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an instance that Berth placed, with its allocations. */
        get: operations["showInstance"];
        put?: never;
        post?: never;
        /** Releases the claim of an instance. */
        delete: operations["releaseInstance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}/build_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves the claim of an instance whose build failed to another host. */
        post: operations["reportBuildFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}/confirm_move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a move: the instance stays where it went. */
        post: operations["confirmMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claims another place for an instance, which keeps what it has until the move ends. */
        post: operations["moveInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}/revert_move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a move: the instance returns to its source host. */
        post: operations["revertMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/instances/{uuid}/unpin_zone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets an instance move out of the availability zone that it asked for. */
        post: operations["unpinZone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists plans, newest first. */
        get: operations["listPlans"];
        put?: never;
        /** Plans moves of instances, and moves nothing. */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a plan with the outcomes of its moves. */
        get: operations["showPlan"];
        put?: never;
        post?: never;
        /** Deletes a plan. */
        delete: operations["deletePlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/plans/{id}/moves/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records the outcome of a move of a plan. */
        post: operations["reportMoveOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/select_destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Chooses hosts for instances and claims what they need. */
        post: operations["selectDestinations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/server_groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists server groups. */
        get: operations["listServerGroups"];
        put?: never;
        /** Creates a server group. */
        post: operations["createServerGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/server_groups/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a server group. */
        get: operations["showServerGroup"];
        /** Replaces a server group of the generation that the body names, or creates it. */
        put: operations["replaceServerGroup"];
        post?: never;
        /** Deletes a server group that nothing needs. */
        delete: operations["deleteServerGroup"];
        options?: never;
        head?: never;
        /** Changes what the body names of a server group. */
        patch: operations["updateServerGroup"];
        trace?: never;
    };
    "/scheduler/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the services of compute hosts. */
        get: operations["listServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduler/services/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the service of a compute host. */
        get: operations["showService"];
        put?: never;
        post?: never;
        /** Forgets the service of a compute host. */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        /** Enables, disables or forces down the service of a compute host. */
        patch: operations["updateService"];
        trace?: never;
    };
    "/scheduler/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides on a described cloud instead of the real one. */
        post: operations["simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists traits. */
        get: operations["listTraits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traits/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks whether a trait exists. */
        get: operations["checkTrait"];
        /** Creates a custom trait, or confirms it. */
        put: operations["ensureTrait"];
        post?: never;
        /** Deletes a custom trait. */
        delete: operations["deleteTrait"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the usage of a project. */
        get: operations["showProjectUsages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddHost: {
            host: string;
        };
        Advice: {
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            state: "current" | "computing";
            age_s: number | null;
            advice: components["schemas"]["AdvicePiece"][];
            truncated: boolean;
        };
        AdvicePiece: {
            /** @enum {unknown} */
            kind: "silent_host" | "refused_report" | "status_trait" | "instance_outside_zone" | "overfull_inventory" | "unplaceable_flavor" | "refusal_peak" | "stranded_capacity" | "unreached_provider" | "unknown_consumer" | "host_without_zone" | "isolation_key_missing" | "aggregate_ratio_without_effect" | "broken_group_policy" | "unchecked_pinning";
            /** @enum {unknown} */
            severity: "error" | "warning" | "note";
            sentence: string;
            count: number;
            subjects: components["schemas"]["AdviceSubject"][];
            commands: string[];
            alternatives: string[];
            link: string | null;
            key: string | null;
        };
        AdviceSubject: {
            /** @enum {unknown} */
            kind: "provider" | "host" | "consumer" | "host_aggregate" | "server_group" | "flavor";
            id: string;
            name: string;
        };
        AggregateActionBody: {
            add_host?: components["schemas"]["ComputeHost"];
            remove_host?: components["schemas"]["ComputeHost"];
            set_metadata?: components["schemas"]["ComputeMetadata"];
        };
        AggregateChangeBody: {
            aggregate: components["schemas"]["ComputeAggregateChange"];
        };
        Aggregates: {
            aggregates: string[];
            resource_provider_generation: number;
        };
        AllocationCandidates: {
            allocation_requests: components["schemas"]["AllocationRequest"][];
            provider_summaries: {
                [key: string]: components["schemas"]["ProviderSummary"];
            };
        };
        AllocationRequest: {
            allocations: {
                [key: string]: components["schemas"]["CandidateAllocation"];
            };
            mappings: {
                [key: string]: string[];
            };
        };
        Alternate: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string;
            cell: string | null;
            allocation_request: {
                allocations: {
                    [key: string]: {
                        resources: components["schemas"]["ResourceAmounts"];
                    };
                };
                mappings: {
                    [key: string]: string[];
                };
            };
            allocation_request_version: string;
            availability_zone?: string;
            weight?: number;
            limits?: components["schemas"]["HostLimits"];
        };
        AvailabilityZone: {
            name: string;
            default: boolean;
            available: boolean;
            hosts_total: number;
            hosts_up: number;
            hosts: {
                host: string;
                /** @enum {unknown} */
                state: "up" | "down";
                /** @enum {unknown} */
                status: "enabled" | "disabled";
            }[];
        };
        AvailabilityZones: {
            availability_zones: components["schemas"]["AvailabilityZone"][];
            next_marker: string | null;
        };
        BuildFailed: {
            host: string;
            node?: string | null;
            reason?: string | null;
        };
        CandidateAllocation: {
            resources: components["schemas"]["ResourceAmounts"];
        };
        CandidatesExplanation: {
            request_id: string;
            microversion: string;
            query: string;
            trees: {
                total: number;
                fit: number;
            };
            candidates: {
                returned: number;
                truncated: boolean;
            };
            sentence: string | null;
            hosts: number;
            counts: {
                condition: components["schemas"]["WhyNotCondition"];
                failed: number;
                never: number;
                text: string;
            }[];
            cause: components["schemas"]["WhyNotCondition"][];
            nearest: {
                condition: components["schemas"]["WhyNotCondition"];
                hosts: number;
                names: string[];
                text: string;
            }[];
            fixes: components["schemas"]["RequestFix"][];
            rejections: components["schemas"]["RejectedTree"][];
            truncated: boolean;
            explained?: components["schemas"]["ExplainedProvider"];
        };
        Capacity: {
            request_id: string;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            code?: string;
            message?: string;
            total: number | null;
            at_least: boolean;
            /** @enum {unknown} */
            cut_by?: "max_instances" | "time";
            hosts_not_counted?: number;
            max_instances: number;
            zones: {
                zone: string;
                hosts: number;
                instances: number;
            }[];
            hosts: {
                host: string;
                node: string;
                /** Format: uuid */
                uuid: string;
                availability_zone: string;
                instances: number;
            }[];
            hosts_truncated: boolean;
            blocked: {
                count: number;
                by_code: {
                    [key: string]: number;
                };
                hosts: {
                    host: string;
                    node: string;
                    stage: string;
                    code: string;
                    params: {
                        [key: string]: unknown;
                    };
                    message: string;
                }[];
                truncated: boolean;
            };
            decision?: components["schemas"]["Decision"];
        };
        CapacityReport: {
            /** Format: date-time */
            at: string;
            group_by: string;
            groups: components["schemas"]["ReportedCapacity"][];
            stranded: components["schemas"]["StrandedFinding"];
            next_marker: string | null;
        };
        CapacityRequest: {
            project_id?: string | null;
            user_id?: string | null;
            max_instances?: number | null;
            instances?: string[] | null;
            instance_names?: {
                [key: string]: string;
            } | null;
            num_instances?: number | null;
            min_count?: number | null;
            flavor: components["schemas"]["InlineFlavor"] | string;
            image?: components["schemas"]["InlineImage"] | string | null;
            is_bfv?: boolean | null;
            availability_zone?: string | null;
            scheduler_hints?: {
                [key: string]: unknown;
            } | null;
            ignore_hosts?: string[] | null;
            force_hosts?: string[] | null;
            force_nodes?: string[] | null;
            requested_destination?: components["schemas"]["RequestedDestination"] | null;
            instance_group?: components["schemas"]["InlineServerGroup"] | string | null;
            requested_resources?: components["schemas"]["RequestedResources"][] | null;
            request_level_params?: components["schemas"]["RequestLevelParams"] | null;
            requested_networks?: components["schemas"]["RequestedNetwork"][] | null;
            network_metadata?: components["schemas"]["NetworkMetadata"] | null;
            numa_topology?: components["schemas"]["InstanceTopology"] | "auto" | null;
            pci_requests?: components["schemas"]["PciRequest"][] | "auto" | null;
            retry?: components["schemas"]["Retry"] | null;
            return_alternates?: boolean | null;
            dry_run?: boolean | null;
            seed?: number | null;
            explain?: ("none" | "summary" | "first" | "all" | "full") | null;
        };
        ClaimRecord: {
            host: string;
            node: string;
            candidate: number;
            /** @enum {unknown} */
            outcome: "claimed" | "no_capacity" | "conflict" | "consumer_exists" | "policy" | "host_unavailable";
            attempts: number;
            message: string | null;
        };
        ClaimedHost: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string;
            cell: string | null;
        };
        CloudMap: {
            /** Format: date-time */
            at: string;
            host_aggregates: components["schemas"]["ReportedHostAggregate"][];
            hosts: components["schemas"]["CloudMapCell"][];
            reasons: components["schemas"]["CloudMapReason"][];
            stranded: components["schemas"]["StrandedAge"] | null;
            truncated: boolean;
        };
        CloudMapCell: {
            /** Format: uuid */
            uuid: string;
            name: string;
            zone: string | null;
            /** @description Positions in the list of host aggregates, counted from 0. */
            host_aggregates: number[];
            /** @enum {unknown} */
            status: "up" | "disabled" | "down" | "silent" | "unreported" | "sharing";
            /** @description With resource_class: the used share. With stranded: the stranded share. */
            share?: number | null;
            /** @description With trait: the host has it. */
            has?: boolean;
            /** @description With flavor: one more fits. */
            fits?: boolean;
            /** @description If it does not fit: the position of the reason in the list of reasons. */
            reason?: number;
        };
        CloudMapReason: {
            /** @enum {unknown} */
            kind: "status" | "resource" | "trait" | "forbidden_trait" | "aggregate" | "forbidden_aggregate" | "enabled" | "host" | "together" | "service_up" | "group_policy" | "filter" | "claim";
            name: string;
            sentence: string;
        };
        ComputeAddress: {
            version: number;
            addr: string;
        } & {
            [key: string]: unknown;
        };
        ComputeAggregateChange: {
            name?: string;
            availability_zone?: string | null;
        };
        ComputeConsole: {
            type: string;
        };
        ComputeConsoleOutput: {
            length?: (number | string) | null;
        };
        ComputeCreatedServer: {
            /** Format: uuid */
            id: string;
            links: components["schemas"]["Link"][];
            adminPass: string;
        } & {
            [key: string]: unknown;
        };
        ComputeEvacuate: {
            host?: string | null;
            adminPass?: string | null;
            onSharedStorage?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
            force?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
        };
        ComputeFault: {
            code: number;
            message: string;
        };
        ComputeFlavorDescription: {
            description?: string | null;
        };
        ComputeGroupRules: {
            max_server_per_host?: number | string;
        };
        ComputeHost: {
            host: string;
        };
        ComputeHypervisor: {
            id: string | number;
            hypervisor_hostname: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /** @enum {unknown} */
            state: "up" | "down";
            servers?: {
                /** Format: uuid */
                uuid: string;
                name: string;
            }[];
            host_ip: string | null;
            hypervisor_type: string;
            hypervisor_version: number;
            service: components["schemas"]["ComputeHypervisorService"];
        } & {
            [key: string]: unknown;
        };
        ComputeHypervisorName: {
            id: string | number;
            hypervisor_hostname: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /** @enum {unknown} */
            state: "up" | "down";
            servers?: {
                /** Format: uuid */
                uuid: string;
                name: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        ComputeHypervisorService: {
            host: string;
            disabled_reason: string | null;
        } & {
            [key: string]: unknown;
        };
        ComputeKeypair: {
            name: string;
            public_key: string;
            fingerprint: string;
            user_id: string;
            private_key?: string;
        } & {
            [key: string]: unknown;
        };
        ComputeListedKeypair: {
            name: string;
            public_key: string;
            fingerprint: string;
        } & {
            [key: string]: unknown;
        };
        ComputeLiveMigrate: {
            host?: string | null;
            block_migration?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | "auto";
            disk_over_commit?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
            force?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
        };
        ComputeLock: {
            locked_reason?: string;
        };
        ComputeMetadata: {
            metadata: {
                [key: string]: string | number | boolean | null;
            };
        };
        ComputeMigrate: {
            host?: string | null;
        };
        ComputeNewAggregate: {
            name: string;
            availability_zone?: string | null;
        };
        ComputeNewFlavor: {
            name: string;
            ram: number | string;
            vcpus: number | string;
            disk: number | string;
            id?: (string | number) | null;
            swap?: (number | string) | null;
            rxtx_factor?: (number | string) | null;
            "OS-FLV-EXT-DATA:ephemeral"?: (number | string) | null;
            "os-flavor-access:is_public"?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
            description?: string | null;
        };
        ComputeNewKeypair: {
            name: string;
            /** @enum {string} */
            type?: "ssh";
            public_key?: string | null;
            user_id?: string;
        };
        ComputeNewServer: {
            name: string;
            flavorRef: string | number;
            imageRef?: string | null;
            min_count?: number | string;
            max_count?: number | string;
            availability_zone?: string | null;
            host?: string;
            hypervisor_hostname?: string;
            networks?: {
                uuid?: string;
            }[] | "auto" | "none";
            security_groups?: components["schemas"]["ComputeSecurityGroup"][] | null;
            block_device_mapping_v2?: {
                boot_index?: number | string | null;
                uuid?: string | null;
                source_type?: string | null;
                destination_type?: string | null;
            }[] | null;
            personality?: Record<string, never>[] | null;
            metadata?: {
                [key: string]: string | number | boolean;
            } | null;
            description?: string | null;
            hostname?: string | null;
            key_name?: string | null;
            user_data?: string | null;
            config_drive?: (true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No") | null;
            adminPass?: string | null;
            accessIPv4?: string | null;
            accessIPv6?: string | null;
            /** @enum {unknown} */
            return_reservation_id?: true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No";
            /** @enum {string} */
            "OS-DCF:diskConfig"?: "AUTO" | "MANUAL";
            tags?: string[] | null;
            trusted_image_certificates?: string[] | null;
        };
        ComputeNewServerGroup: {
            name: string;
            policies?: ("affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity")[];
            /** @enum {string} */
            policy?: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules?: components["schemas"]["ComputeGroupRules"] | null;
        };
        ComputeReboot: {
            /** @enum {string} */
            type: "SOFT" | "HARD" | "soft" | "hard" | "Soft" | "Hard";
        };
        ComputeRebuild: {
            /** Format: uuid-like */
            imageRef: string;
            name?: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            description?: string | null;
            adminPass?: string | null;
            key_name?: string | null;
            hostname?: string | null;
            accessIPv4?: string | null;
            accessIPv6?: string | null;
            user_data?: string | null;
            /** @enum {string} */
            "OS-DCF:diskConfig"?: "AUTO" | "MANUAL";
            /** @enum {unknown} */
            preserve_ephemeral?: true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No";
            /** @enum {unknown} */
            reimage_boot_volume?: true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No";
        };
        ComputeRemoteConsole: {
            protocol: string;
            type: string;
        };
        ComputeResetState: {
            /** @enum {string} */
            state: "active" | "error";
        };
        ComputeResize: {
            flavorRef: string | number;
            /** @enum {string} */
            "OS-DCF:diskConfig"?: "AUTO" | "MANUAL";
        };
        ComputeSecurityGroup: {
            name: string;
        };
        ComputeServer: {
            /** Format: uuid */
            id: string;
            name: string;
            links: components["schemas"]["Link"][];
            status: string;
            tenant_id: string;
            user_id: string;
            metadata: {
                [key: string]: string;
            };
            hostId: string;
            created: string;
            updated: string;
            addresses: {
                [key: string]: components["schemas"]["ComputeAddress"][];
            };
            key_name?: string | null;
            description?: string | null;
            locked?: boolean;
            tags?: string[];
            server_groups?: string[];
            fault?: {
                code: number;
                created: string;
                message: string;
                details?: string;
            };
            adminPass?: string;
            "OS-EXT-AZ:availability_zone"?: string;
            "OS-EXT-SRV-ATTR:host"?: string | null;
            "OS-EXT-STS:task_state"?: string | null;
        } & {
            [key: string]: unknown;
        };
        ComputeServerAction: {
            action: string;
            request_id: string;
            user_id: string;
            start_time: string;
            message: string | null;
        } & {
            [key: string]: unknown;
        };
        ComputeServerActionWithEvents: {
            action: string;
            request_id: string;
            user_id: string;
            start_time: string;
            message: string | null;
            events: components["schemas"]["ComputeServerEvent"][];
        } & {
            [key: string]: unknown;
        };
        ComputeServerChange: {
            name?: string;
            description?: string | null;
            accessIPv4?: string | null;
            accessIPv6?: string | null;
            hostname?: string;
            /** @enum {string} */
            "OS-DCF:diskConfig"?: "AUTO" | "MANUAL";
        };
        ComputeServerEvent: {
            event: string;
            start_time: string;
            finish_time: string | null;
            /** @enum {unknown} */
            result: "Success" | "Error" | null;
        } & {
            [key: string]: unknown;
        };
        ComputeServerName: {
            /** Format: uuid */
            id: string;
            name: string;
            links: components["schemas"]["Link"][];
        } & {
            [key: string]: unknown;
        };
        ComputeTenant: {
            tenant: string;
        };
        ComputeUnshelve: {
            availability_zone?: string | null;
            host?: string;
        };
        ConsoleConfig: {
            version: string;
            build: string | null;
            api_prefix: string;
            logins: ("noauth" | "token" | "password")[];
            default_domain: string;
        };
        ConsoleLogin: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            user: string;
            project: string;
            roles: string[];
        };
        ConsoleSession: {
            user_id: string;
            project_id: string | null;
            roles: string[];
            may: string[];
        };
        ConsumerAllocation: {
            resources: components["schemas"]["ResourceAmounts"];
            generation: number;
        };
        ConsumerAllocations: {
            allocations: {
                [key: string]: components["schemas"]["ConsumerAllocation"];
            };
            project_id?: string;
            user_id?: string;
            consumer_generation?: number;
            consumer_type?: string;
        };
        ConsumerOfProject: {
            /** Format: uuid */
            uuid: string;
            consumer_type: string | null;
            project_id: string;
            user_id: string;
            generation: number;
            instance: components["schemas"]["PlacedConsumer"] | null;
            allocations: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            hosts: components["schemas"]["ReportedRoot"][];
        };
        ConsumerTypeUsages: {
            consumer_count: number;
        } & {
            [key: string]: number;
        };
        CountedFlavor: {
            id: string;
            name: string;
            vcpus: number;
            memory_mb: number;
            root_gb: number;
            fit: number;
            at_least: boolean;
            hosts: number;
            cause: string | null;
            binding: components["schemas"]["FlavorBinding"][];
            error: string | null;
        };
        CreateInventory: {
            total: number;
            reserved?: number;
            min_unit?: number;
            max_unit?: number;
            step_size?: number;
            allocation_ratio?: number;
            resource_class: string;
            resource_provider_generation?: number;
        };
        CreateResourceClass: {
            name: string;
        };
        CreateResourceProvider: {
            /** Format: unicode */
            name: string;
            /** Format: uuid-like */
            uuid?: string;
            /** Format: uuid-like */
            parent_provider_uuid?: string | null;
        };
        Decision: {
            summary: components["schemas"]["DecisionSummary"];
            request_id: string;
            /** Format: date-time */
            at: string;
            duration_ms: number;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            code: string | null;
            seed: number;
            driver: string;
            config_revision: string;
            request: components["schemas"]["UnderstoodRequest"] | null;
            prefilters: components["schemas"]["PrefilterRecord"][];
            placement: components["schemas"]["PlacementRecord"] | null;
            passes: components["schemas"]["Pass"][];
            passes_made: number;
            passes_truncated: boolean;
        };
        DecisionSummary: {
            sentence: string;
            user_message: string;
            hosts: number | null;
            counts: {
                condition: components["schemas"]["WhyNotCondition"];
                failed: number;
                never: number;
                text: string;
            }[];
            cause: components["schemas"]["WhyNotCondition"][];
            nearest: {
                condition: components["schemas"]["WhyNotCondition"];
                hosts: number;
                names: string[];
                text: string;
            }[];
            fixes: {
                /** Format: date-time */
                at: string;
                changes: components["schemas"]["RequestFix"][];
            } | null;
            rejected: {
                [key: string]: number;
            };
        };
        Decisions: {
            decisions: components["schemas"]["KeptDecision"][];
            count: number | null;
            next_marker: string | null;
        };
        Error: {
            status: number;
            title: string;
            detail: string;
            request_id: string;
            /** @enum {unknown} */
            code: "console.foreign_page" | "console.identity_unavailable" | "console.login_refused" | "console.too_many_logins" | "console.wrong_credentials" | "placement.concurrent_update" | "placement.duplicate_name" | "placement.inventory.inuse" | "placement.query.bad_value" | "placement.query.duplicate_key" | "placement.query.missing_value" | "placement.resource_provider.cannot_delete_parent" | "placement.resource_provider.inuse" | "placement.resource_provider.not_found" | "placement.search_gave_up" | "placement.too_many_requests" | "placement.undefined_code" | "scheduler.attempts_exhausted" | "scheduler.claims_lost" | "scheduler.duplicate_name" | "scheduler.generation_conflict" | "scheduler.in_use" | "scheduler.invalid_request" | "scheduler.no_candidates" | "scheduler.no_valid_host" | "scheduler.not_found" | "scheduler.search_gave_up" | "scheduler.too_many_requests" | "scheduler.unavailable" | "scheduler.unsupported";
            min_version?: string;
            max_version?: string;
            decision?: components["schemas"]["Decision"];
        };
        ErrorDocument: {
            errors: components["schemas"]["Error"][];
        };
        ExplainedProvider: {
            /** Format: uuid */
            provider: string;
            name: string;
            /** Format: uuid */
            root: string;
            in_answer: boolean;
            fails: {
                condition: components["schemas"]["WhyNotCondition"];
                text: string;
            }[];
        };
        Explanation: {
            request_id: string;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            code?: string;
            message?: string;
            selections: components["schemas"]["Selection"][];
            decision: components["schemas"]["Decision"];
        };
        ExtraSpecs: {
            extra_specs: {
                [key: string]: string | number | boolean | null;
            };
            generation?: number;
        };
        ExtraSpecsBody: {
            extra_specs: {
                [key: string]: string | number | boolean;
            };
        };
        FailingClaim: {
            host: string;
            node?: string | null;
            index?: number | null;
        };
        Flavor: {
            id: string;
            name: string;
            vcpus: number;
            memory_mb: number;
            root_gb: number;
            ephemeral_gb: number;
            swap: number;
            extra_specs: {
                [key: string]: string;
            };
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        FlavorActionBody: {
            addTenantAccess?: components["schemas"]["ComputeTenant"];
            removeTenantAccess?: components["schemas"]["ComputeTenant"];
        };
        FlavorBinding: {
            /** @enum {unknown} */
            kind: "resource" | "trait" | "forbidden_trait" | "aggregate" | "forbidden_aggregate" | "enabled" | "host" | "together" | "service_up" | "group_policy" | "filter" | "claim" | "nothing";
            name: string;
            hosts: number;
            sentence: string;
        };
        FlavorDefinition: {
            id?: string;
            name: string;
            vcpus: number;
            memory_mb: number;
            root_gb?: number;
            ephemeral_gb?: number;
            swap?: number;
            extra_specs?: {
                [key: string]: string | number | boolean;
            };
            generation?: number;
        };
        FlavorDescriptionBody: {
            flavor: components["schemas"]["ComputeFlavorDescription"];
        };
        FlavorPatch: {
            name?: string;
            vcpus?: number;
            memory_mb?: number;
            root_gb?: number;
            ephemeral_gb?: number;
            swap?: number;
            extra_specs?: {
                [key: string]: string | number | boolean | null;
            };
            generation?: number;
        };
        FlavorReport: {
            /** Format: date-time */
            at: string | null;
            /** @enum {unknown} */
            state: "current" | "computing";
            age_s: number | null;
            flavors: components["schemas"]["CountedFlavor"][];
            next_marker: string | null;
        };
        Flavors: {
            flavors: components["schemas"]["Flavor"][];
            next_marker: string | null;
        };
        GroupRules: {
            max_server_per_host?: number | null;
        };
        History: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            since: string;
            samples: components["schemas"]["ReportedSample"][];
            when_full: components["schemas"]["WhenFull"][];
        };
        Host: {
            /** Format: uuid */
            uuid: string | null;
            cell: string | null;
            service_version: number;
            hypervisor?: components["schemas"]["Hypervisor"] | null;
            host_ip?: string | null;
            vcpus_total?: number | null;
            vcpus_used?: number | null;
            memory_mb?: number | null;
            free_ram_mb?: number | null;
            local_gb?: number | null;
            free_disk_gb?: number | null;
            disk_available_least?: number | null;
            local_gb_used?: number | null;
            cpu_allocation_ratio?: number | null;
            ram_allocation_ratio?: number | null;
            disk_allocation_ratio?: number | null;
            supported_instances?: string[][] | null;
            stats?: {
                [key: string]: string | number | boolean;
            } | null;
            metrics?: components["schemas"]["Metric"][] | null;
            failed_builds?: number | null;
            reserved_host_cpus?: number | null;
            reserved_host_memory_mb?: number | null;
            reserved_host_disk_mb?: number | null;
            numa_topology?: components["schemas"]["HostNumaTopology"] | null;
            pci_device_pools?: components["schemas"]["PciPool"][] | null;
            instances?: components["schemas"]["ReportedInstance"][] | null;
            report_providers?: boolean | null;
            host: string;
            node: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            disabled_reason: string | null;
            forced_down: boolean;
            /** @enum {unknown} */
            state: "up" | "down";
            /** Format: date-time */
            last_seen_up: string | null;
            /** Format: date-time */
            reported_at: string;
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        HostAggregate: {
            /** Format: uuid */
            uuid: string;
            name: string;
            availability_zone: string | null;
            metadata: {
                [key: string]: string;
            };
            hosts: string[];
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        HostAggregateDefinition: {
            /** Format: uuid-like */
            uuid?: string;
            name: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            availability_zone?: string | null;
            hosts?: string[];
            generation?: number;
        };
        HostAggregatePatch: {
            name?: string;
            availability_zone?: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            generation?: number;
        };
        HostAggregates: {
            host_aggregates: components["schemas"]["HostAggregate"][];
            next_marker: string | null;
        };
        HostLimits: {
            numa_topology?: {
                cpu_allocation_ratio: number;
                ram_allocation_ratio: number;
            };
            vcpu?: number;
            memory_mb?: number;
            disk_gb?: number;
        };
        HostName: {
            host: string;
            node: string;
        };
        HostNumaCell: {
            id: number;
            socket?: number | null;
            cpuset?: number[] | null;
            pcpuset?: number[] | null;
            pinned_cpus?: number[] | null;
            siblings?: number[][];
            memory: number;
            cpu_usage?: number;
            memory_usage?: number;
            mempages?: components["schemas"]["MemoryPages"][];
            physnets?: string[];
            tunneled?: boolean;
        };
        HostNumaTopology: {
            cells?: components["schemas"]["HostNumaCell"][];
        };
        HostRejection: {
            host: string;
            node: string;
            code: string;
            params: {
                [key: string]: unknown;
            };
            message: string;
        };
        HostRejections: {
            by_code: {
                [key: string]: number;
            };
            hosts: components["schemas"]["HostRejection"][];
            truncated: boolean;
        };
        HostReport: {
            uuid?: string | null;
            cell?: string | null;
            service_version?: number | null;
            hypervisor?: components["schemas"]["Hypervisor"] | null;
            host_ip?: string | null;
            vcpus_total?: number | null;
            vcpus_used?: number | null;
            memory_mb?: number | null;
            free_ram_mb?: number | null;
            local_gb?: number | null;
            free_disk_gb?: number | null;
            disk_available_least?: number | null;
            local_gb_used?: number | null;
            cpu_allocation_ratio?: number | null;
            ram_allocation_ratio?: number | null;
            disk_allocation_ratio?: number | null;
            supported_instances?: string[][] | null;
            stats?: {
                [key: string]: string | number | boolean;
            } | null;
            metrics?: components["schemas"]["Metric"][] | null;
            failed_builds?: number | null;
            reserved_host_cpus?: number | null;
            reserved_host_memory_mb?: number | null;
            reserved_host_disk_mb?: number | null;
            numa_topology?: components["schemas"]["HostNumaTopology"] | null;
            pci_device_pools?: components["schemas"]["PciPool"][] | null;
            instances?: components["schemas"]["ReportedInstance"][] | null;
            report_providers?: boolean | null;
        };
        HostReported: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string | null;
            created: boolean;
            changed: string[];
            providers: {
                /** @enum {unknown} */
                outcome: "created" | "updated" | "unchanged";
                in_use: string[];
            } | null;
            /** Format: date-time */
            last_seen_up: string;
            down_after_seconds: number;
        };
        HostStrandedAmount: {
            amount: number;
            at_most: boolean;
            because: string | null;
        };
        Hosts: {
            hosts: components["schemas"]["Host"][];
            next_marker: string | null;
        };
        Hypervisor: {
            type?: string | null;
            version?: number | null;
            hostname?: string | null;
            cpu_info?: (string | Record<string, never>) | null;
        };
        IdentityFault: {
            error: {
                code: number;
                message: string;
                title: string;
            };
        };
        Image: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
            disk_format: string | null;
            properties: {
                [key: string]: string;
            };
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        ImageDefinition: {
            /** Format: uuid-like */
            uuid?: string;
            name?: string | null;
            disk_format?: string | null;
            properties?: {
                [key: string]: string | number | boolean;
            };
            generation?: number;
        };
        ImageFault: {
            message: string;
            code: string;
            title: string;
        };
        ImagePatch: {
            name?: string | null;
            disk_format?: string | null;
            properties?: {
                [key: string]: string | number | boolean | null;
            };
            generation?: number;
        };
        Images: {
            images: components["schemas"]["Image"][];
            next_marker: string | null;
        };
        InlineFlavor: {
            name?: string | null;
            vcpus: number;
            memory_mb: number;
            root_gb?: number | null;
            ephemeral_gb?: number | null;
            swap?: number | null;
            extra_specs?: {
                [key: string]: string | number | boolean;
            } | null;
        };
        InlineImage: {
            id?: string | null;
            name?: string | null;
            disk_format?: string | null;
            properties?: {
                [key: string]: string | number | boolean;
            } | null;
        };
        InlineServerGroup: {
            uuid?: string | null;
            name?: string | null;
            project_id?: string | null;
            /** @enum {string} */
            policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules?: components["schemas"]["GroupRules"] | null;
            members?: string[] | null;
            hosts?: string[] | null;
        };
        Instance: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
            host: string;
            node: string;
            /** Format: uuid */
            host_uuid: string;
            cell: string | null;
            project_id: string;
            user_id: string;
            flavor: {
                [key: string]: unknown;
            };
            flavor_id: string | null;
            image: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            image_uuid: string | null;
            /** Format: uuid */
            server_group: string | null;
            request_id: string;
            is_bfv: boolean;
            state: string;
            pending: boolean;
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
            numa_topology: {
                [key: string]: unknown;
            } | null;
            pci_requests: {
                [key: string]: unknown;
            }[] | null;
            alternates: components["schemas"]["OfferedHost"][];
            tried: components["schemas"]["TriedHost"][];
            request: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            listed_at: string | null;
            move: components["schemas"]["Move"] | null;
            allocations: {
                [key: string]: {
                    resources: components["schemas"]["ResourceAmounts"];
                };
            };
        };
        InstanceCell: {
            id?: number;
            cpuset?: number[] | null;
            pcpuset?: number[] | null;
            memory: number;
            pagesize?: (number | string) | null;
            cpu_policy?: ("shared" | "dedicated" | "mixed") | null;
            cpu_thread_policy?: ("prefer" | "isolate" | "require") | null;
        };
        InstanceTopology: {
            cells: components["schemas"]["InstanceCell"][];
            emulator_threads_policy?: ("share" | "isolate") | null;
        };
        Instances: {
            instances: components["schemas"]["PlacedInstance"][];
            next_marker: string | null;
        };
        Inventories: {
            resource_provider_generation: number;
            inventories: {
                [key: string]: components["schemas"]["InventoryRecord"];
            };
        };
        Inventory: {
            total: number;
            reserved: number;
            min_unit: number;
            max_unit: number;
            step_size: number;
            allocation_ratio: number;
            resource_provider_generation: number;
        };
        InventoryRecord: {
            total: number;
            reserved: number;
            min_unit: number;
            max_unit: number;
            step_size: number;
            allocation_ratio: number;
        };
        JudgedFlavor: {
            id: string;
            name: string;
            fits: boolean;
            hinders: string[];
        };
        KeptDecision: {
            request_id: string;
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            code: string | null;
            project_id: string | null;
            instance: string | null;
            instance_name: string | null;
            num_instances: number;
            flavor: string | null;
            image: string | null;
            duration_ms: number | null;
            hosts: string[] | null;
            hosts_chosen: number | null;
            sentence: string;
            bytes: number;
        };
        Link: {
            rel: string;
            href: string;
        };
        ListedInstance: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
            project_id: string;
            user_id: string;
            flavor: string | null;
            image: string | null;
            host: string;
            /** Format: uuid */
            host_uuid: string;
            availability_zone: string | null;
            server_group: components["schemas"]["ReportedServerGroup"] | null;
            state: string;
            decision: string;
            /** Format: date-time */
            created_at: string;
        };
        ListedProject: {
            project_id: string;
            instances: number;
            resource_classes: {
                [key: string]: components["schemas"]["UseOfProject"];
            };
        };
        Liveness: {
            /** @constant */
            status: "alive";
        };
        Login: {
            username: string;
            password: string;
            user_domain?: string | null;
            project: string;
            project_domain?: string | null;
        };
        MemoryPages: {
            size_kb: number;
            total: number;
            used?: number;
            reserved?: number;
        };
        Metadata: {
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            generation?: number;
        };
        MetadataBody: {
            metadata: {
                [key: string]: string | number | boolean;
            };
        };
        MetadataKeyBody: {
            meta: {
                [key: string]: string | number | boolean;
            };
        };
        Metric: {
            name: string;
            value: number;
            unit?: string | null;
            measured_at?: (string | number) | null;
        };
        Move: {
            type: string;
            /** Format: uuid */
            migration_uuid: string;
            source: components["schemas"]["ClaimedHost"];
        };
        MoveOutcome: {
            /** @enum {string} */
            state: "running" | "done" | "failed" | "skipped";
            message?: string | null;
            reason?: string | null;
        };
        MovePlan: {
            /** Format: uuid */
            id: string;
            request_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {unknown} */
            goal: "drain" | "waves" | "room" | "balance" | "pack";
            sentence: string;
            complete: boolean;
            outcomes: {
                waiting: number;
                running: number;
                done: number;
                failed: number;
                skipped: number;
            };
            ask: {
                [key: string]: unknown;
            };
            hosts: string[];
            stages: components["schemas"]["PlannedMove"][][];
            rounds: {
                hosts: string[];
                moves: number;
            }[];
            cannot_move: components["schemas"]["UnmovableInstance"][];
            bound: number | null;
            before: components["schemas"]["PlanFigures"];
            after: components["schemas"]["PlanFigures"];
            warnings: string[];
            worked_ms: number;
            time_up: boolean;
        };
        MoveRequest: {
            /** @enum {string} */
            type: "resize" | "cold_migrate" | "live_migrate" | "evacuate" | "unshelve";
            flavor?: components["schemas"]["InlineFlavor"] | string | null;
            target?: components["schemas"]["MoveTarget"] | string | null;
            ignore_hosts?: string[] | null;
        };
        MoveTarget: {
            host: string;
            node?: string | null;
        };
        Moving: {
            request_id: string;
            /** @enum {unknown} */
            type: "resize" | "cold_migrate" | "live_migrate" | "evacuate" | "unshelve";
            /** Format: uuid */
            migration_uuid: string | null;
            selections: components["schemas"]["Selection"][];
        };
        NetworkFault: {
            NeutronError: {
                type: string;
                message: string;
                detail: string;
            };
        };
        NetworkMetadata: {
            physnets?: string[] | null;
            tunneled?: boolean | null;
        };
        NewAggregateBody: {
            aggregate: components["schemas"]["ComputeNewAggregate"];
        };
        NewFlavorBody: {
            flavor: components["schemas"]["ComputeNewFlavor"];
        };
        NewKeypairBody: {
            keypair: components["schemas"]["ComputeNewKeypair"];
        };
        NewServerBody: {
            server: components["schemas"]["ComputeNewServer"];
            "os:scheduler_hints"?: Record<string, never>;
            "OS-SCH-HNT:scheduler_hints"?: Record<string, never>;
        };
        NewServerGroupBody: {
            server_group: components["schemas"]["ComputeNewServerGroup"];
        };
        OfferedHost: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string;
            cell: string | null;
            allocations: {
                [key: string]: {
                    resources: components["schemas"]["ResourceAmounts"];
                };
            };
            mappings: {
                [key: string]: string[];
            };
        };
        Pass: {
            index: number;
            /** Format: uuid */
            instance_uuid: string;
            /** @enum {unknown} */
            phase: "select" | "alternates";
            stages: components["schemas"]["Stage"][];
            passed_because: {
                filter: string;
                host: string;
                node: string;
                code: string;
                params: {
                    [key: string]: unknown;
                };
                message: string;
            }[];
            passed_because_truncated: boolean;
            weighers: components["schemas"]["WeigherRecord"][];
            ranked: number;
            ranking: {
                host: string;
                node: string;
                weight: number;
            }[];
            ranking_truncated: boolean;
            drawn_from: number;
            claims_tried: {
                [key: string]: number;
            };
            claims: components["schemas"]["ClaimRecord"][];
            claims_truncated: boolean;
            selected: components["schemas"]["HostName"] | null;
            alternates: components["schemas"]["HostName"][];
        };
        PciPool: {
            vendor_id: string;
            product_id: string;
            dev_type?: ("type-PCI" | "type-PF" | "type-VF" | "type-VDPA") | null;
            numa_node?: number | null;
            count: number;
            tags?: {
                [key: string]: string | boolean;
            } | null;
        };
        PciRequest: {
            request_id?: string | null;
            alias_name?: string | null;
            count?: number | null;
            spec?: {
                [key: string]: string | boolean | null;
            }[] | null;
            numa_policy?: ("required" | "socket" | "legacy" | "preferred") | null;
        };
        PlacedAgain: {
            request_id: string;
            attempts: number;
            selections: components["schemas"]["Selection"][];
        };
        PlacedConsumer: {
            name: string | null;
            flavor: string | null;
            image: string | null;
            availability_zone: string | null;
            /** Format: uuid */
            server_group: string | null;
            decision: string | null;
        };
        PlacedInstance: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
            host: string;
            node: string;
            /** Format: uuid */
            host_uuid: string;
            cell: string | null;
            project_id: string;
            user_id: string;
            flavor: {
                [key: string]: unknown;
            };
            flavor_id: string | null;
            image: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            image_uuid: string | null;
            /** Format: uuid */
            server_group: string | null;
            request_id: string;
            is_bfv: boolean;
            state: string;
            pending: boolean;
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        PlacementRecord: {
            query: string;
            microversion: string;
            candidates: number;
            hosts: number;
            truncated: boolean;
            fallback: {
                query: string;
                candidates: number;
                hosts: number;
            } | null;
            gave_up: boolean;
            not_considered: number | null;
            rejections: {
                by_code: {
                    [key: string]: number;
                };
                hosts: {
                    host: string;
                    /** Format: uuid */
                    uuid: string;
                    code: string;
                    message: string;
                }[];
                truncated: boolean;
            } | null;
        };
        Plan: {
            /** @enum {string} */
            goal: "drain" | "waves" | "room" | "balance" | "pack";
            hosts?: string[];
            host_aggregates?: string[];
            availability_zones?: string[];
            at_a_time?: number;
            flavor?: components["schemas"]["InlineFlavor"] | string | null;
            count?: number | null;
            resource_classes?: string[];
            /** @enum {string} */
            over?: "hosts" | "zones";
            stay?: components["schemas"]["Stay"];
            max_moves?: number | null;
            max_moves_per_host?: number;
            move_types?: ("live" | "cold")[];
            min_gain?: number;
            time_limit?: number;
            seed?: number;
        };
        PlanFigures: {
            used_hosts: number;
            empty_hosts: number;
            highest_use: number;
            spread: number;
            places: number | null;
        };
        PlanHead: {
            /** Format: uuid */
            id: string;
            request_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {unknown} */
            goal: "drain" | "waves" | "room" | "balance" | "pack";
            sentence: string;
            complete: boolean;
            outcomes: {
                waiting: number;
                running: number;
                done: number;
                failed: number;
                skipped: number;
            };
        };
        PlannedMove: {
            number: number;
            stage: number;
            after: number[];
            instance: {
                /** Format: uuid */
                uuid: string;
                name: string | null;
                project_id: string;
            };
            source: {
                host: string;
                node: string;
            };
            target: {
                host: string;
                node: string;
            };
            amounts: components["schemas"]["ResourceAmounts"];
            reason: string;
            outcome: {
                /** @enum {unknown} */
                state: "running" | "done" | "failed" | "skipped";
                /** Format: date-time */
                at: string;
                message: string | null;
                reason: string | null;
            } | null;
        };
        Plans: {
            plans: components["schemas"]["PlanHead"][];
            next_marker: string | null;
        };
        PrefilterRecord: {
            name: string;
            ran: boolean;
            why_not: string | null;
            added: {
                root_required: string[];
                root_forbidden: string[];
                member_of: string[][];
                forbidden_aggregates: string[];
                groups: {
                    [key: string]: string[];
                };
            };
            because: string | null;
            refused?: {
                code: string;
                message: string;
            };
        };
        ProjectUsages: {
            usages: {
                [key: string]: components["schemas"]["ConsumerTypeUsages"];
            };
        };
        ProviderAllocation: {
            resources: components["schemas"]["ResourceAmounts"];
            consumer_generation: number;
        };
        ProviderAllocations: {
            allocations: {
                [key: string]: components["schemas"]["ProviderAllocation"];
            };
            resource_provider_generation: number;
        };
        ProviderSummary: {
            resources: {
                [key: string]: components["schemas"]["ProviderSummaryResource"];
            };
            traits: string[];
            /** Format: uuid */
            parent_provider_uuid: string | null;
            /** Format: uuid */
            root_provider_uuid: string;
        };
        ProviderSummaryResource: {
            capacity: number;
            used: number;
        };
        ProviderTraits: {
            traits: string[];
            resource_provider_generation: number;
        };
        ProviderUsages: {
            resource_provider_generation: number;
            usages: {
                [key: string]: number;
            };
        };
        Readiness: {
            /** @enum {unknown} */
            status: "ready" | "unavailable" | "draining";
            reads?: components["schemas"]["Works"];
            writes?: components["schemas"]["Works"];
            identity?: components["schemas"]["Works"];
            broker?: components["schemas"]["Works"];
            graph?: {
                refreshes: number;
                usageRows: number;
                treeReloads: number;
                wholeReloads: number;
            };
        };
        RefusalReason: {
            name: string;
            code: string;
            refusals: number;
            hosts: number;
            sentence: string;
            last: string;
        };
        Refusals: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            since: string;
            decisions: number;
            placed: number;
            refused: number;
            reasons: components["schemas"]["RefusalReason"][];
            truncated: boolean;
        };
        RejectedTree: {
            /** Format: uuid */
            root: string;
            name: string;
            code: string;
            message: string;
        };
        RemoteConsoleBody: {
            remote_console: components["schemas"]["ComputeRemoteConsole"];
        };
        ReplaceAggregates: {
            aggregates: string[];
            resource_provider_generation: number;
        };
        ReplaceAllocations: {
            allocations: {
                [key: string]: {
                    resources: {
                        [key: string]: number;
                    };
                    generation?: number;
                };
            };
            /** Format: unicode */
            project_id: string;
            /** Format: unicode */
            user_id: string;
            consumer_generation: number | null;
            mappings?: {
                [key: string]: string[];
            };
            consumer_type: string;
        };
        ReplaceInventories: {
            resource_provider_generation: number;
            inventories: {
                [key: string]: {
                    total: number;
                    reserved?: number;
                    min_unit?: number;
                    max_unit?: number;
                    step_size?: number;
                    allocation_ratio?: number;
                    resource_provider_generation?: number;
                };
            };
        };
        ReplaceManyAllocations: {
            [key: string]: {
                allocations: {
                    [key: string]: {
                        resources: {
                            [key: string]: number;
                        };
                        generation?: number;
                    };
                };
                /** Format: unicode */
                project_id: string;
                /** Format: unicode */
                user_id: string;
                consumer_generation: number | null;
                mappings?: {
                    [key: string]: string[];
                };
                consumer_type: string;
            };
        };
        ReplaceTraits: {
            traits: string[];
            resource_provider_generation: number;
        };
        ReportedCapacity: {
            key: string | null;
            name: string | null;
            hosts: number;
            hosts_usable: number;
            statuses: {
                [key: string]: number;
            };
            instances: number;
            resource_classes: {
                [key: string]: components["schemas"]["ReportedCapacityOfClass"];
            };
        };
        ReportedCapacityOfClass: {
            total: number;
            reserved: number;
            capacity: number;
            used: number;
            free: number;
            usable: number;
            largest_free: number;
            largest_free_host: components["schemas"]["ReportedRoot"] | null;
            stranded: components["schemas"]["StrandedAmount"] | null;
        };
        ReportedClassSum: {
            total: number;
            reserved: number;
            capacity: number;
            used: number;
            free: number;
        };
        ReportedConsumer: {
            /** Format: uuid */
            uuid: string;
            consumer_type: string | null;
            project_id: string;
            user_id: string;
            generation: number;
            instance: components["schemas"]["PlacedConsumer"] | null;
            allocations: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        ReportedDecision: {
            request_id: string;
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            project_id: string | null;
            flavor: string | null;
            num_instances: number;
            instance: string | null;
            instance_name: string | null;
            /** @enum {unknown} */
            verdict: "selected" | "alternate" | "rejected" | "passed";
            by: string | null;
            code: string | null;
            message: string | null;
        };
        ReportedHost: {
            /** Format: date-time */
            at: string;
            host: components["schemas"]["ReportedHostRow"];
            service: components["schemas"]["ReportedService"] | null;
            hypervisor: components["schemas"]["ReportedHypervisor"] | null;
            tree: components["schemas"]["ReportedProvider"];
            tree_truncated: boolean;
            shared: components["schemas"]["ReportedSharing"][];
            consumers: components["schemas"]["ReportedConsumer"][];
            consumers_truncated: boolean;
            decisions: components["schemas"]["ReportedDecision"][];
            flavors: components["schemas"]["JudgedFlavor"][];
            flavors_truncated: boolean;
        };
        ReportedHostAggregate: {
            /** Format: uuid */
            uuid: string;
            name: string;
        };
        ReportedHostRow: {
            /** Format: uuid */
            uuid: string;
            name: string;
            host: string | null;
            node: string | null;
            availability_zone: string | null;
            host_aggregates: components["schemas"]["ReportedHostAggregate"][];
            placement_aggregates: string[];
            traits: number;
            providers: number;
            instances: number;
            /** @enum {unknown} */
            status: "up" | "disabled" | "down" | "silent" | "unreported" | "sharing";
            status_reason: string | null;
            /** Format: date-time */
            last_seen_up: string | null;
            resource_classes: {
                [key: string]: components["schemas"]["ReportedClassSum"];
            };
            stranded: {
                [key: string]: components["schemas"]["HostStrandedAmount"];
            } | null;
        };
        ReportedHosts: {
            /** Format: date-time */
            at: string;
            count: number;
            hosts: components["schemas"]["ReportedHostRow"][];
            stranded: components["schemas"]["StrandedAge"] | null;
            /** Format: uuid */
            next_marker: string | null;
        };
        ReportedHypervisor: {
            type: string | null;
            version: number | null;
            hostname: string | null;
        };
        ReportedInstance: {
            /** Format: uuid-like */
            uuid: string;
            flavor?: string | null;
            project_id?: string | null;
            task_state?: string | null;
            vm_state?: string | null;
            image_properties?: {
                [key: string]: string | number | boolean;
            } | null;
        };
        ReportedInstances: {
            /** Format: date-time */
            at: string;
            instances: components["schemas"]["ListedInstance"][];
            count: number | null;
            /** Format: uuid */
            next_marker: string | null;
        };
        ReportedInventory: {
            total: number;
            reserved: number;
            capacity: number;
            used: number;
            free: number;
            min_unit: number;
            max_unit: number;
            step_size: number;
            allocation_ratio: number;
        };
        ReportedProject: {
            /** Format: date-time */
            at: string;
            project_id: string;
            instances: number;
            resource_classes: {
                [key: string]: components["schemas"]["UseOfProject"];
            };
            sorted_by: string;
            consumers: components["schemas"]["ConsumerOfProject"][];
            consumers_truncated: boolean;
        };
        ReportedProjects: {
            /** Format: date-time */
            at: string;
            count: number;
            projects: components["schemas"]["ListedProject"][];
            next_marker: string | null;
        };
        ReportedProvider: {
            /** Format: uuid */
            uuid: string;
            name: string;
            generation: number | null;
            /** Format: uuid */
            parent_uuid: string | null;
            traits: string[];
            aggregates: string[];
            resource_classes: {
                [key: string]: components["schemas"]["ReportedInventory"];
            };
            consumers: number;
            children: components["schemas"]["ReportedProvider"][];
        };
        ReportedRoot: {
            /** Format: uuid */
            uuid: string;
            name: string;
        };
        ReportedSample: {
            /** Format: date-time */
            at: string;
            placed: number;
            refused: number;
            hosts: number;
            hosts_usable: number;
            instances: number;
            resource_classes: {
                [key: string]: components["schemas"]["SampledClass"];
            };
        };
        ReportedServerGroup: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
        };
        ReportedService: {
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            disabled_reason: string | null;
            forced_down: boolean;
            /** @enum {unknown} */
            state: "up" | "down";
            /** Format: date-time */
            last_seen_up: string | null;
        };
        ReportedSharing: {
            /** Format: uuid */
            uuid: string;
            name: string;
            aggregates: string[];
            resource_classes: {
                [key: string]: components["schemas"]["ReportedClassSum"];
            };
        };
        RequestFix: {
            /** @enum {unknown} */
            kind: "without" | "amount" | "trait";
            conditions: components["schemas"]["WhyNotCondition"][];
            amount: number | null;
            aggregate: string | null;
            hosts: number;
            text: string;
        };
        RequestLevelParams: {
            root_required?: string[] | null;
            root_forbidden?: string[] | null;
            same_subtree?: string[][] | null;
        };
        RequestedDestination: {
            host?: string | null;
            node?: string | null;
            cell?: string | null;
            allow_cross_cell_move?: boolean | null;
            aggregates?: string[][] | null;
            forbidden_aggregates?: string[] | null;
        };
        RequestedNetwork: {
            network_id?: string | null;
            port_id?: string | null;
            vnic_type?: string | null;
            aggregates?: string[] | null;
        };
        RequestedResources: {
            requester_id: string;
            resources: {
                [key: string]: number;
            };
            required_traits?: string[] | null;
            forbidden_traits?: string[] | null;
            aggregates?: string[][] | null;
            forbidden_aggregates?: string[] | null;
            in_tree?: string | null;
        };
        Reshape: {
            inventories: {
                [key: string]: components["schemas"]["ReplaceInventories"];
            };
            allocations: {
                [key: string]: {
                    allocations: {
                        [key: string]: {
                            resources: {
                                [key: string]: number;
                            };
                            generation?: number;
                        };
                    };
                    /** Format: unicode */
                    project_id: string;
                    /** Format: unicode */
                    user_id: string;
                    consumer_generation: number | null;
                    mappings?: {
                        [key: string]: string[];
                    };
                    consumer_type: string;
                };
            };
        };
        ResourceAmounts: {
            [key: string]: number;
        };
        ResourceClass: {
            name: string;
            links: components["schemas"]["Link"][];
        };
        ResourceClasses: {
            resource_classes: components["schemas"]["ResourceClass"][];
        };
        ResourceProvider: {
            /** Format: uuid */
            uuid: string;
            name: string;
            generation: number;
            /** Format: uuid */
            parent_provider_uuid: string | null;
            /** Format: uuid */
            root_provider_uuid: string;
            links: components["schemas"]["Link"][];
        };
        ResourceProviders: {
            resource_providers: components["schemas"]["ResourceProvider"][];
        };
        Retry: {
            num_attempts?: number | null;
            hosts?: string[][] | null;
        };
        SampledClass: {
            capacity: number;
            used: number;
            usable: number;
            stranded: number | null;
        };
        Scheduler: {
            /** @constant */
            name: "berth";
            version: string;
            config_revision: string;
            driver: string;
            drivers: {
                name: string;
                summary: string;
                source: string;
            }[];
            prefilters: components["schemas"]["SchedulerPart"][];
            filters: components["schemas"]["SchedulerPart"][];
            weighers: components["schemas"]["SchedulerPart"][];
            options: {
                max_attempts: number;
                max_placement_results: number | null;
                candidates_per_host: number;
                host_subset_size: number;
                shuffle_best_same_weighed_hosts: boolean;
                default_availability_zone: string;
                default_schedule_zone: string | null;
                nova_compat: boolean;
            };
            guarantees: {
                /** @enum {unknown} */
                host_facts: "registries" | "external";
                /** @enum {unknown} */
                claims: "exact" | "repaired";
                /** @enum {unknown} */
                group_policy: "when_claiming" | "after_claiming" | "when_filtering";
                /** @enum {unknown} */
                pending_placements: "counted" | "ignored";
            };
        };
        SchedulerPart: {
            name: string;
            summary: string;
            source: string;
            options: {
                group: string;
                name: string;
                value?: unknown;
                default?: unknown;
            }[];
        };
        SelectDestinations: {
            instances?: string[] | null;
            instance_names?: {
                [key: string]: string;
            } | null;
            num_instances?: number | null;
            min_count?: number | null;
            flavor: components["schemas"]["InlineFlavor"] | string;
            image?: components["schemas"]["InlineImage"] | string | null;
            is_bfv?: boolean | null;
            project_id: string;
            user_id: string;
            availability_zone?: string | null;
            scheduler_hints?: {
                [key: string]: unknown;
            } | null;
            ignore_hosts?: string[] | null;
            force_hosts?: string[] | null;
            force_nodes?: string[] | null;
            requested_destination?: components["schemas"]["RequestedDestination"] | null;
            instance_group?: components["schemas"]["InlineServerGroup"] | string | null;
            requested_resources?: components["schemas"]["RequestedResources"][] | null;
            request_level_params?: components["schemas"]["RequestLevelParams"] | null;
            requested_networks?: components["schemas"]["RequestedNetwork"][] | null;
            network_metadata?: components["schemas"]["NetworkMetadata"] | null;
            numa_topology?: components["schemas"]["InstanceTopology"] | "auto" | null;
            pci_requests?: components["schemas"]["PciRequest"][] | "auto" | null;
            retry?: components["schemas"]["Retry"] | null;
            return_alternates?: boolean | null;
            dry_run?: boolean | null;
            seed?: number | null;
            explain?: ("none" | "summary" | "first" | "all" | "full") | null;
        };
        SelectedHost: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string;
            cell: string | null;
            allocation_request: {
                allocations: {
                    [key: string]: {
                        resources: components["schemas"]["ResourceAmounts"];
                    };
                };
                mappings: {
                    [key: string]: string[];
                };
            };
            allocation_request_version: string;
            availability_zone: string;
            weight: number;
            limits: components["schemas"]["HostLimits"];
        };
        Selection: {
            /** Format: uuid */
            instance_uuid: string;
            selected: components["schemas"]["SelectedHost"] | null;
            alternates: components["schemas"]["Alternate"][];
        };
        Selections: {
            request_id: string;
            selections: components["schemas"]["Selection"][];
            decision?: components["schemas"]["Decision"];
        };
        ServerActionBody: {
            resize?: components["schemas"]["ComputeResize"];
            confirmResize?: unknown;
            revertResize?: unknown;
            migrate?: components["schemas"]["ComputeMigrate"] | null;
            "os-migrateLive"?: components["schemas"]["ComputeLiveMigrate"];
            evacuate?: components["schemas"]["ComputeEvacuate"];
            shelve?: unknown;
            shelveOffload?: unknown;
            unshelve?: components["schemas"]["ComputeUnshelve"] | null;
            rebuild?: components["schemas"]["ComputeRebuild"];
            reboot?: components["schemas"]["ComputeReboot"];
            "os-start"?: unknown;
            "os-stop"?: unknown;
            pause?: unknown;
            unpause?: unknown;
            suspend?: unknown;
            resume?: unknown;
            lock?: components["schemas"]["ComputeLock"] | null;
            unlock?: unknown;
            "os-resetState"?: components["schemas"]["ComputeResetState"];
            forceDelete?: unknown;
            "os-getConsoleOutput"?: components["schemas"]["ComputeConsoleOutput"] | null;
            "os-getVNCConsole"?: components["schemas"]["ComputeConsole"];
            "os-getSPICEConsole"?: components["schemas"]["ComputeConsole"];
            "os-getRDPConsole"?: components["schemas"]["ComputeConsole"];
            "os-getSerialConsole"?: components["schemas"]["ComputeConsole"];
        };
        ServerChangeBody: {
            server: components["schemas"]["ComputeServerChange"];
        };
        ServerGroup: {
            /** Format: uuid */
            uuid: string;
            name: string;
            project_id: string | null;
            user_id: string | null;
            /** @enum {unknown} */
            policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules: {
                max_server_per_host?: number;
            };
            members: string[];
            hosts: string[];
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        ServerGroupDefinition: {
            /** Format: uuid-like */
            uuid?: string;
            name: string;
            project_id?: string | null;
            user_id?: string | null;
            /** @enum {string} */
            policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules?: components["schemas"]["GroupRules"] | null;
            members?: string[];
            generation?: number;
        };
        ServerGroupPatch: {
            name?: string;
            project_id?: string | null;
            user_id?: string | null;
            generation?: number;
        };
        ServerGroups: {
            server_groups: components["schemas"]["ServerGroup"][];
            next_marker: string | null;
        };
        Service: {
            host: string;
            nodes: string[];
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            disabled_reason: string | null;
            forced_down: boolean;
            /** @enum {unknown} */
            state: "up" | "down";
            /** Format: date-time */
            last_seen_up: string | null;
            down_after_seconds: number;
            availability_zone: string;
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
        };
        ServiceChangeBody: {
            host?: string;
            /** @enum {string} */
            binary?: "nova-compute";
            /** @enum {string} */
            status?: "enabled" | "disabled";
            disabled_reason?: string | null;
            /** @enum {unknown} */
            forced_down?: true | "1" | "true" | "TRUE" | "True" | "on" | "ON" | "On" | "yes" | "YES" | "Yes" | false | "0" | "false" | "FALSE" | "False" | "off" | "OFF" | "Off" | "no" | "NO" | "No";
        };
        ServicePatch: {
            /** @enum {string} */
            status?: "enabled" | "disabled";
            disabled_reason?: string | null;
            forced_down?: boolean;
            generation?: number;
        };
        Services: {
            services: components["schemas"]["Service"][];
            next_marker: string | null;
        };
        Simulated: {
            request_id: string;
            /** @enum {unknown} */
            outcome: "placed" | "no_valid_host" | "refused" | "failed";
            code?: string;
            message?: string;
            warnings?: string[];
            selections: components["schemas"]["Selection"][];
            decision?: components["schemas"]["Decision"];
        };
        SimulatedAggregate: {
            created_at?: string | null;
            updated_at?: string | null;
            /** Format: uuid-like */
            uuid?: string;
            name: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            availability_zone?: string | null;
            hosts?: string[];
            generation?: number;
        };
        SimulatedClaims: {
            fail?: components["schemas"]["FailingClaim"][];
        };
        SimulatedFlavor: {
            created_at?: string | null;
            updated_at?: string | null;
            id?: string;
            name: string;
            vcpus: number;
            memory_mb: number;
            root_gb?: number;
            ephemeral_gb?: number;
            swap?: number;
            extra_specs?: {
                [key: string]: string | number | boolean;
            };
            generation?: number;
        };
        SimulatedGroup: {
            hosts?: string[];
            created_at?: string | null;
            updated_at?: string | null;
            /** Format: uuid-like */
            uuid?: string;
            name: string;
            project_id?: string | null;
            user_id?: string | null;
            /** @enum {string} */
            policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules?: components["schemas"]["GroupRules"] | null;
            members?: string[];
            generation?: number;
        };
        SimulatedHost: {
            host: string;
            node?: string;
            /** @enum {string} */
            status?: "enabled" | "disabled";
            disabled_reason?: string | null;
            forced_down?: boolean;
            last_seen_up?: string | null;
            /** @enum {string} */
            state?: "up" | "down";
            /** Format: time-like */
            reported_at?: string;
            generation?: number;
            created_at?: string | null;
            updated_at?: string | null;
            uuid?: string | null;
            cell?: string | null;
            service_version?: number | null;
            hypervisor?: components["schemas"]["Hypervisor"] | null;
            host_ip?: string | null;
            vcpus_total?: number | null;
            vcpus_used?: number | null;
            memory_mb?: number | null;
            free_ram_mb?: number | null;
            local_gb?: number | null;
            free_disk_gb?: number | null;
            disk_available_least?: number | null;
            local_gb_used?: number | null;
            cpu_allocation_ratio?: number | null;
            ram_allocation_ratio?: number | null;
            disk_allocation_ratio?: number | null;
            supported_instances?: string[][] | null;
            stats?: {
                [key: string]: string | number | boolean;
            } | null;
            metrics?: components["schemas"]["Metric"][] | null;
            failed_builds?: number | null;
            reserved_host_cpus?: number | null;
            reserved_host_memory_mb?: number | null;
            reserved_host_disk_mb?: number | null;
            numa_topology?: components["schemas"]["HostNumaTopology"] | null;
            pci_device_pools?: components["schemas"]["PciPool"][] | null;
            instances?: components["schemas"]["ReportedInstance"][] | null;
            report_providers?: boolean | null;
        };
        SimulatedImage: {
            created_at?: string | null;
            updated_at?: string | null;
            /** Format: uuid-like */
            uuid?: string;
            name?: string | null;
            disk_format?: string | null;
            properties?: {
                [key: string]: string | number | boolean;
            };
            generation?: number;
        };
        SimulatedProvider: {
            /** Format: uuid-like */
            uuid: string;
            name: string;
            parent_uuid?: string | null;
            parent_provider_uuid?: string | null;
            root_provider_uuid?: string | null;
            inventories?: {
                [key: string]: {
                    total: number;
                    reserved?: number;
                    min_unit?: number;
                    max_unit?: number;
                    step_size?: number;
                    allocation_ratio?: number;
                };
            };
            traits?: string[];
            aggregates?: string[];
            used?: {
                [key: string]: number;
            };
            generation?: number;
            created_at?: string | null;
            updated_at?: string | null;
        };
        Simulation: {
            config?: Record<string, never>;
            hosts?: components["schemas"]["SimulatedHost"][];
            host_aggregates?: components["schemas"]["SimulatedAggregate"][];
            server_groups?: components["schemas"]["SimulatedGroup"][];
            flavors?: components["schemas"]["SimulatedFlavor"][];
            images?: components["schemas"]["SimulatedImage"][];
            providers?: components["schemas"]["SimulatedProvider"][] | null;
            claims?: components["schemas"]["SimulatedClaims"] | null;
            now?: string | null;
            request: components["schemas"]["SelectDestinations"];
        };
        Stage: {
            /** @enum {unknown} */
            kind: "preselection" | "filter";
            name: string;
            in: number;
            out: number;
            skipped: boolean;
            rejections: components["schemas"]["HostRejections"];
            also_rejects?: components["schemas"]["HostRejections"];
        };
        Stay: {
            instances?: string[];
            hosts?: string[];
            projects?: string[];
        };
        StrandedAge: {
            /** @enum {unknown} */
            state: "current" | "computing";
            age_s: number | null;
        };
        StrandedAmount: {
            amount: number;
            at_most: boolean;
            hosts: number;
            because: components["schemas"]["StrandedReason"][];
        };
        StrandedFinding: {
            /** @enum {unknown} */
            state: "current" | "computing";
            /** Format: date-time */
            at: string | null;
            age_s: number | null;
            flavors: number;
        };
        StrandedReason: {
            lacks: string;
            hosts: number;
            amount: number;
            sentence: string;
        };
        Timeline: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            since: string;
            entries: components["schemas"]["TimelineEntry"][];
            left_out: number;
        };
        TimelineEntry: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            first_at: string;
            fact: string;
            was: string | null;
            became: string | null;
            changes: number;
            hosts: string[];
            decision: string | null;
        };
        Traits: {
            traits: string[];
        };
        TriedHost: {
            host: string;
            node: string;
            /** Format: uuid */
            uuid: string;
            cell: string | null;
            reason?: string | null;
        };
        Unauthenticated: {
            message: string;
            code: string;
            title: string;
            hint: string;
        } | {
            error: {
                code: number;
                title: string;
                message: string;
            };
            hint: string;
        } | components["schemas"]["ErrorDocument"];
        UnderstoodFlavor: {
            name: string | null;
            vcpus: number;
            memory_mb: number;
            root_gb: number;
            ephemeral_gb: number;
            swap: number;
            extra_specs: {
                [key: string]: string;
            };
        };
        UnderstoodImage: {
            id: string | null;
            name: string | null;
            disk_format: string | null;
            properties: {
                [key: string]: string;
            };
        };
        UnderstoodRequest: {
            instances: string[];
            num_instances: number;
            min_count?: number;
            project_id: string;
            user_id: string;
            flavor: components["schemas"]["UnderstoodFlavor"];
            image: components["schemas"]["UnderstoodImage"] | null;
            is_bfv: boolean;
            availability_zone: string | null;
            scheduler_hints: {
                [key: string]: string[];
            };
            ignore_hosts: string[];
            force_hosts: string[];
            force_nodes: string[];
            requested_destination: {
                host: string | null;
                node: string | null;
                cell: string | null;
                allow_cross_cell_move: boolean;
                aggregates: string[][];
                forbidden_aggregates: string[];
            } | null;
            instance_group: {
                /** Format: uuid */
                uuid: string | null;
                /** @enum {unknown} */
                policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
                rules: {
                    max_server_per_host?: number;
                };
                members: string[];
                hosts: string[];
            } | null;
            requested_resources: {
                requester_id: string;
                resources: {
                    [key: string]: number;
                };
                required_traits: string[];
                forbidden_traits: string[];
                aggregates: string[][];
                forbidden_aggregates: string[];
                /** Format: uuid */
                in_tree: string | null;
            }[];
            request_level_params: {
                root_required: string[];
                root_forbidden: string[];
                same_subtree: string[][];
            };
            requested_networks: {
                network_id: string | null;
                port_id: string | null;
                vnic_type: string | null;
                aggregates?: string[] | null;
            }[] | null;
            network_metadata: {
                physnets: string[];
                tunneled: boolean;
            } | null;
            numa_topology: {
                [key: string]: unknown;
            } | null;
            pci_requests: {
                [key: string]: unknown;
            }[];
            retry?: {
                num_attempts: number;
                hosts: unknown[];
            };
            ignored: {
                field: string;
                why: string;
            }[];
        };
        UnmovableInstance: {
            instance: {
                /** Format: uuid */
                uuid: string;
                name: string | null;
                project_id: string;
            };
            host: {
                host: string;
                node: string;
            } | null;
            sentence: string;
            remedy: string | null;
        };
        UpdateInventory: {
            total: number;
            reserved?: number;
            min_unit?: number;
            max_unit?: number;
            step_size?: number;
            allocation_ratio?: number;
            resource_provider_generation: number;
        };
        UpdateResourceProvider: {
            /** Format: unicode */
            name: string;
            /** Format: uuid-like */
            parent_provider_uuid?: string | null;
        };
        UseOfProject: {
            used: number;
            capacity: number;
            share: number;
        };
        Versions: {
            versions: {
                id: string;
                /** @enum {unknown} */
                status: "CURRENT";
                min_version: string;
                max_version: string;
                links: components["schemas"]["Link"][];
            }[];
        };
        Warning: {
            field: string;
            why: string;
        };
        WeigherRecord: {
            name: string;
            hosts: {
                host: string;
                node: string;
                raw: number | null;
                normalized: number;
                multiplier: number;
                score: number;
                error?: string;
            }[];
        };
        WhenFull: {
            resource_class: string;
            earliest_days: number | null;
            latest_days: number | null;
            sentence: string;
        };
        WhyNotCondition: {
            /** @enum {unknown} */
            kind: "resource" | "trait" | "forbidden_trait" | "aggregate" | "forbidden_aggregate" | "enabled" | "host" | "together" | "service_up" | "group_policy" | "filter" | "claim";
            what: string;
            names: string[];
            amount: number | null;
            groups: string[];
            origins: {
                /** @enum {unknown} */
                by: "flavor" | "image" | "alias" | "request" | "prefilter";
                name: string | null;
                key: string | null;
            }[];
        };
        Works: {
            works: boolean;
            reason?: string;
        };
        WrittenFlavor: {
            id: string;
            name: string;
            vcpus: number;
            memory_mb: number;
            root_gb: number;
            ephemeral_gb: number;
            swap: number;
            extra_specs: {
                [key: string]: string;
            };
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
            warnings?: components["schemas"]["Warning"][];
        };
        WrittenHostAggregate: {
            /** Format: uuid */
            uuid: string;
            name: string;
            availability_zone: string | null;
            metadata: {
                [key: string]: string;
            };
            hosts: string[];
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
            warnings?: components["schemas"]["Warning"][];
        };
        WrittenImage: {
            /** Format: uuid */
            uuid: string;
            name: string | null;
            disk_format: string | null;
            properties: {
                [key: string]: string;
            };
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
            warnings?: components["schemas"]["Warning"][];
        };
        WrittenServerGroup: {
            /** Format: uuid */
            uuid: string;
            name: string;
            project_id: string | null;
            user_id: string | null;
            /** @enum {unknown} */
            policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
            rules: {
                max_server_per_host?: number;
            };
            members: string[];
            hosts: string[];
            generation: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string | null;
            warnings?: components["schemas"]["Warning"][];
        };
    };
    responses: {
        /** @description Bad Request. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Unauthorized. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Unauthenticated"];
            };
        };
        /** @description Forbidden. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Not Found. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Not Acceptable. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Conflict. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Unsupported Media Type. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Too Many Requests. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Too large, too slow, out of reach at present, or failed for a reason of the service. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description Bad Request. */
        ComputeBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    badRequest: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Conflict. */
        ComputeConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    conflictingRequest: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Forbidden. */
        ComputeForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    forbidden: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Not Acceptable. */
        ComputeNotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    computeFault: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Not Found. */
        ComputeNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    itemNotFound: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Too large, too slow, out of reach at present, or failed for a reason of the service. */
        ComputeRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    [key: string]: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Too Many Requests. */
        ComputeTooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    overLimit: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Unauthorized. */
        ComputeUnauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    unauthorized: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Unsupported Media Type. */
        ComputeUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    badMediaType: components["schemas"]["ComputeFault"];
                };
            };
        };
        /** @description Bad Request. */
        IdentityBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Conflict. */
        IdentityConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Forbidden. */
        IdentityForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Not Found. */
        IdentityNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Too large, too slow, out of reach at present, or failed for a reason of the service. */
        IdentityRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Unauthorized. */
        IdentityUnauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Unsupported Media Type. */
        IdentityUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdentityFault"];
            };
        };
        /** @description Bad Request. */
        ImageBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Conflict. */
        ImageConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Forbidden. */
        ImageForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Not Found. */
        ImageNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Too large, too slow, out of reach at present, or failed for a reason of the service. */
        ImageRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Unauthorized. */
        ImageUnauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Unsupported Media Type. */
        ImageUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImageFault"];
            };
        };
        /** @description Bad Request. */
        NetworkBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NetworkFault"];
            };
        };
        /** @description Forbidden. */
        NetworkForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NetworkFault"];
            };
        };
        /** @description Not Found. */
        NetworkNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NetworkFault"];
            };
        };
        /** @description Too large, too slow, out of reach at present, or failed for a reason of the service. */
        NetworkRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NetworkFault"];
            };
        };
        /** @description Unauthorized. */
        NetworkUnauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NetworkFault"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Versions"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    listAllocationCandidates: {
        parameters: {
            query?: {
                resources?: string;
                limit?: string;
                required?: string[];
                member_of?: string[];
                group_policy?: "none" | "isolate";
                in_tree?: string;
                root_required?: string;
                same_subtree?: string[];
                /** @description The same of further groups, by a name with its suffix: `resources_NET1`, `required_NET1`. */
                groups?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllocationCandidates"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    explainAllocationCandidates: {
        parameters: {
            query?: {
                resources?: string;
                limit?: string;
                required?: string[];
                member_of?: string[];
                group_policy?: "none" | "isolate";
                in_tree?: string;
                root_required?: string;
                same_subtree?: string[];
                explain_provider?: string;
                /** @description The same of further groups, by a name with its suffix: `resources_NET1`, `required_NET1`. */
                groups?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CandidatesExplanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    replaceManyAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceManyAllocations"];
            };
        };
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The uuid of a consumer. */
                consumer_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerAllocations"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    replaceAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The uuid of a consumer. */
                consumer_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceAllocations"];
            };
        };
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The uuid of a consumer. */
                consumer_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listComputeHypervisors: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
                /** @description A part of the name. */
                hypervisor_hostname_pattern?: string;
                with_servers?: "true" | "false" | "1" | "0" | "yes" | "no";
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisors: components["schemas"]["ComputeHypervisorName"][];
                        hypervisors_links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeHypervisorDetails: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
                /** @description A part of the name. */
                hypervisor_hostname_pattern?: string;
                with_servers?: "true" | "false" | "1" | "0" | "yes" | "no";
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisors: components["schemas"]["ComputeHypervisor"][];
                        hypervisors_links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeHypervisorStatistics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisor_statistics: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeHypervisor: {
        parameters: {
            query?: {
                with_servers?: "true" | "false" | "1" | "0" | "yes" | "no";
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisor: components["schemas"]["ComputeHypervisor"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    searchComputeHypervisors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisors: components["schemas"]["ComputeHypervisorName"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeHypervisorUptime: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hypervisor: components["schemas"]["ComputeHypervisorName"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeKeypairs: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
                /** @description The owner, for administrators. */
                user_id?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keypairs: {
                            keypair: components["schemas"]["ComputeListedKeypair"];
                        }[];
                        keypairs_links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    createComputeKeypair: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKeypairBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keypair: components["schemas"]["ComputeKeypair"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keypair: components["schemas"]["ComputeKeypair"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeKeypair: {
        parameters: {
            query?: {
                /** @description The owner, for administrators. */
                user_id?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keypair: components["schemas"]["ComputeKeypair"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    deleteComputeKeypair: {
        parameters: {
            query?: {
                /** @description The owner, for administrators. */
                user_id?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeServers: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
                /** @description Of all projects, for administrators. */
                all_tenants?: string;
                /** @description Of this project, for administrators. */
                project_id?: string;
                /** @description The same under its old name. */
                tenant_id?: string;
                user_id?: string;
                image?: string;
                uuid?: string;
                host?: string;
                flavor?: string;
                vm_state?: string;
                task_state?: string;
                power_state?: string;
                name?: string;
                description?: string;
                hostname?: string;
                key_name?: string;
                reservation_id?: string;
                node?: string;
                locked_by?: string;
                config_drive?: string;
                ip?: string;
                ip6?: string;
                status?: string;
                deleted?: string;
                locked?: string;
                tags?: string;
                "tags-any"?: string;
                "not-tags"?: string;
                "not-tags-any"?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        servers: components["schemas"]["ComputeServerName"][];
                        servers_links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    createComputeServers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewServerBody"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        server: components["schemas"]["ComputeCreatedServer"];
                    } | {
                        reservation_id: string;
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            429: components["responses"]["ComputeTooManyRequests"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeServerDetails: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
                /** @description Of all projects, for administrators. */
                all_tenants?: string;
                /** @description Of this project, for administrators. */
                project_id?: string;
                /** @description The same under its old name. */
                tenant_id?: string;
                user_id?: string;
                image?: string;
                uuid?: string;
                host?: string;
                flavor?: string;
                vm_state?: string;
                task_state?: string;
                power_state?: string;
                name?: string;
                description?: string;
                hostname?: string;
                key_name?: string;
                reservation_id?: string;
                node?: string;
                locked_by?: string;
                config_drive?: string;
                ip?: string;
                ip6?: string;
                status?: string;
                deleted?: string;
                locked?: string;
                tags?: string;
                "tags-any"?: string;
                "not-tags"?: string;
                "not-tags-any"?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        servers: components["schemas"]["ComputeServer"][];
                        servers_links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        server: components["schemas"]["ComputeServer"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    updateComputeServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerChangeBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        server: components["schemas"]["ComputeServer"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    deleteComputeServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    actOnComputeServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerActionBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null | {
                        output: string;
                    } | {
                        adminPass: string;
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null | {
                        server: components["schemas"]["ComputeServer"];
                    };
                };
            };
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            429: components["responses"]["ComputeTooManyRequests"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metadata: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    replaceComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metadata: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    mergeComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metadata: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description The key, which is part of the path. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    setComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description The key, which is part of the path. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataKeyBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        meta: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    deleteComputeServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description The key, which is part of the path. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    listComputeServerActions: {
        parameters: {
            query?: {
                /** @description The most that is answered at once. */
                limit?: string;
                /** @description The last of the page before. */
                marker?: string;
            };
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instanceActions: components["schemas"]["ComputeServerAction"][];
                        links?: components["schemas"]["Link"][];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeServerAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description The id of the request that was the action. */
                request: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instanceAction: components["schemas"]["ComputeServerActionWithEvents"];
                    };
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeServerConsole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoteConsoleBody"];
            };
        };
        responses: {
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            409: components["responses"]["ComputeConflict"];
            415: components["responses"]["ComputeUnsupportedMediaType"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showComputeServerPart: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of this API that is spoken; without it the oldest. */
                "OpenStack-API-Version"?: string;
            };
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description part */
                part: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["ComputeBadRequest"];
            401: components["responses"]["ComputeUnauthenticated"];
            403: components["responses"]["ComputeForbidden"];
            404: components["responses"]["ComputeNotFound"];
            406: components["responses"]["ComputeNotAcceptable"];
            default: components["responses"]["ComputeRefused"];
        };
    };
    showConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    checkConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    showConsoleConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    showConsoleLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    logInToConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleLogin"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    showConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    showConsolePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a page or a file, with as many slashes as it has. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "text/css": string;
                    "image/x-icon": string;
                    "text/javascript": string;
                    "application/json": string;
                    "image/png": string;
                    "image/svg+xml": string;
                    "text/plain": string;
                    "application/manifest+json": string;
                    "image/webp": string;
                    "font/woff": string;
                    "font/woff2": string;
                };
            };
            /** @description Not Modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    checkConsolePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a page or a file, with as many slashes as it has. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    showDocs: {
        parameters: {
            query?: {
                /** @description As `latest`, which it is unless given, or as in the header. */
                microversion?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showApiDocument: {
        parameters: {
            query?: {
                /** @description As `latest`, which it is unless given, or as in the header. */
                microversion?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A file of the viewer. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    showLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    listNetworkVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkZones: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        availability_zones: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkExtensions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        extensions: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkFloatingAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        floatingips: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        networks: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    showNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkPorts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ports: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    showNetworkQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a project, which is its id. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        quota: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    showDefaultNetworkQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a project, which is its id. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        quota: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkRouters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        routers: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkSecurityGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        security_groups: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    listNetworkSubnets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subnets: Record<string, never>[];
                    };
                };
            };
            400: components["responses"]["NetworkBadRequest"];
            401: components["responses"]["NetworkUnauthenticated"];
            403: components["responses"]["NetworkForbidden"];
            404: components["responses"]["NetworkNotFound"];
            default: components["responses"]["NetworkRefused"];
        };
    };
    showReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            /** @description Service Unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["Refused"];
        };
    };
    reportAdvice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Advice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    reportCapacity: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                group_by?: "total" | "availability_zone" | "host_aggregate" | "placement_aggregate" | "trait";
                /** @description These classes only. */
                resource_class?: string[];
                /** @description Stranded: what these flavors cannot use. Default: all registered flavors. */
                flavor?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapacityReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    streamChanges: {
        parameters: {
            query?: {
                position?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    reportFlavors: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                /** @description These flavors only, by id or name. */
                flavor?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlavorReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    reportHistory: {
        parameters: {
            query?: {
                hours?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    listReportedHosts: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                /** @description name, status, instances, zone, used:CLASS, free:CLASS, use:CLASS, stranded:CLASS; a leading `-` sorts descending. */
                sort?: string;
                /** @description Part of the name. */
                name?: string;
                /** @description A provider of the tree has it; with a leading `!`, none has. */
                trait?: string[];
                /** @description Name or uuid. */
                host_aggregate?: string;
                placement_aggregate?: string;
                /** @description Empty: in none. */
                availability_zone?: string;
                resource_class?: string;
                status?: ("up" | "disabled" | "down" | "silent" | "unreported" | "sharing")[];
                /** @description Name or id: hosts that have room for one more. */
                flavor?: string;
                /** @description A resource class: hosts with a stranded amount of it. */
                stranded?: string;
                /** @description Shows the stranded amounts of each host, if they are known. */
                with?: "stranded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedHosts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showReportedHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedHost"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listReportedInstances: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                /** @description Part of the name, or the first 8 or more digits of the uuid. */
                search?: string;
                /** @description Name of the service host. */
                host?: string;
                project_id?: string;
                /** @description Name or id. */
                flavor?: string;
                server_group?: string;
                /** @description Shows how many instances match on all pages, unless it is a search for a name or uuid. */
                with?: "count";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedInstances"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showCloudMap: {
        parameters: {
            query?: {
                resource_class?: string;
                trait?: string;
                flavor?: string;
                /** @description A resource class: the stranded share of its capacity. */
                stranded?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudMap"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    listReportedProjects: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                /** @description Part of the id. */
                search?: string;
                /** @description A class: largest use of it first. Default: largest share of any class. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedProjects"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showReportedProject: {
        parameters: {
            query?: {
                /** @description A class: largest use of it first. Default: largest share of any class. */
                sort?: string;
            };
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedProject"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    reportRefusals: {
        parameters: {
            query?: {
                hours?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusals"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    reportTimeline: {
        parameters: {
            query?: {
                since?: string;
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    reshape: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reshape"];
            };
        };
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listResourceClasses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceClasses"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    createResourceClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResourceClass"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showResourceClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceClass"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    ensureResourceClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No Content. */
            204: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    deleteResourceClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listResourceProviders: {
        parameters: {
            query?: {
                name?: string;
                uuid?: string;
                member_of?: string[];
                resources?: string;
                in_tree?: string;
                required?: string[];
            };
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceProviders"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    createResourceProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResourceProvider"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showResourceProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    updateResourceProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateResourceProvider"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteResourceProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listAggregates: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Aggregates"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    replaceAggregates: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceAggregates"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Aggregates"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listProviderAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAllocations"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    listInventories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventories"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    replaceInventories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceInventories"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventories"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    createInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInventory"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteInventories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    showInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
                /** @description The name of a resource class. */
                resource_class: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    updateInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
                /** @description The name of a resource class. */
                resource_class: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateInventory"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
                /** @description The name of a resource class. */
                resource_class: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listProviderTraits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTraits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    replaceProviderTraits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceTraits"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTraits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteProviderTraits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    showProviderUsages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderUsages"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    showScheduler: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scheduler"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    listAvailabilityZones: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                name?: string;
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailabilityZones"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showCapacity: {
        parameters: {
            query?: {
                flavor?: string;
                image?: string;
                project_id?: string;
                user_id?: string;
                availability_zone?: string;
                instance_group?: string;
                max_instances?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capacity"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    countCapacity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CapacityRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capacity"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                instance?: string;
                host?: string;
                outcome?: "placed" | "no_valid_host" | "refused" | "failed";
                code?: string;
                project_id?: string;
                since?: string;
                /** @description Shows how many decisions match on all pages. */
                with?: "count";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decisions"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, from the answer of the decision. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    explainDestinations: {
        parameters: {
            query?: {
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectDestinations"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    listFlavors: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                name?: string;
                min_ram?: string;
                min_disk?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flavors"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    createFlavor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlavorDefinition"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFlavor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showFlavor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flavor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    replaceFlavor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlavorDefinition"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFlavor"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFlavor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteFlavor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    updateFlavor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlavorPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFlavor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    setFlavorExtraSpecs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtraSpecs"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFlavor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listHostAggregates: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                name?: string;
                host?: string;
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostAggregates"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    createHostAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostAggregateDefinition"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showHostAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    replaceHostAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostAggregateDefinition"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteHostAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    updateHostAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostAggregatePatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    addHostToAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddHost"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    removeHostFromAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
                /** @description The name of a compute host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    setHostAggregateMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Metadata"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenHostAggregate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listHosts: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                host?: string;
                node?: string;
                uuid?: string;
                cell?: string;
                status?: "enabled" | "disabled";
                state?: "up" | "down";
                zone?: string;
                long?: "true" | "false" | "1" | "0" | "yes" | "no";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hosts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
                /** @description The name of a node of the host. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Host"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    reportHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
                /** @description The name of a node of the host. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostReport"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostReported"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostReported"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
                /** @description The name of a node of the host. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listImages: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                name?: string;
                disk_format?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Images"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    createImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageDefinition"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenImage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    replaceImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageDefinition"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenImage"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenImage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    updateImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagePatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenImage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listInstances: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                host?: string;
                node?: string;
                project_id?: string;
                user_id?: string;
                flavor_id?: string;
                request_id?: string;
                state?: string;
                image_uuid?: string;
                server_group?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instances"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    releaseInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    reportBuildFailed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildFailed"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedAgain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    confirmMove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    moveInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Moving"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    revertMove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    unpinZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plans"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Plan"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovePlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    showPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovePlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    deletePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    reportMoveOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as lists show it. */
                id: string;
                /** @description number */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveOutcome"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanHead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    selectDestinations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectDestinations"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Selections"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    listServerGroups: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                name?: string;
                project_id?: string;
                policy?: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
                member?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerGroups"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    createServerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerGroupDefinition"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServerGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    showServerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    replaceServerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerGroupDefinition"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServerGroup"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServerGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    deleteServerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    updateServerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A uuid, in any of its spellings. */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerGroupPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServerGroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description Documents of one page. */
                limit?: string;
                /** @description The `next_marker` of the page before. */
                marker?: string;
                host?: string;
                status?: "enabled" | "disabled";
                state?: "up" | "down";
                forced_down?: "true" | "false" | "1" | "0" | "yes" | "no";
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Services"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Refused"];
        };
    };
    showService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a compute host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServicePatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Refused"];
        };
    };
    simulate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Simulation"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    listTraits: {
        parameters: {
            query?: {
                name?: string;
                associated?: string;
            };
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Traits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    checkTrait: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
    ensureTrait: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No Content. */
            204: {
                headers: {
                    /** @description Where it is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    deleteTrait: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path: {
                /** @description The name, which is part of the path. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Refused"];
        };
    };
    showProjectUsages: {
        parameters: {
            query: {
                project_id: string;
                user_id?: string;
                consumer_type?: string;
            };
            header?: {
                /** @description Without it the oldest version is spoken, which is another document. */
                "OpenStack-API-Version"?: "placement 1.39";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectUsages"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            default: components["responses"]["Refused"];
        };
    };
}
